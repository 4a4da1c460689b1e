// Before the first paint, so that nobody sees the other theme flash up. `settings` goes on from here.
let theme = null;
try {
  theme = JSON.parse(localStorage.getItem("registan.theme"));
} catch {
  // Without storage the system's theme it is.
}
document.documentElement.dataset.theme = theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

// Before the first paint, so that nobody sees the other theme flash up.
try {
  const theme = localStorage.getItem("registan.theme");
  if (theme) document.documentElement.dataset.theme = JSON.parse(theme);
} catch {
  // Without storage the system's theme it is.
}

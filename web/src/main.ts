import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { lang } from "./lib/messages.svelte";

document.documentElement.lang = lang();
// In a task of its own: a phone that has read the scripts would not answer until the first page is made as well.
setTimeout(() => {
  mount(App, { target: document.getElementById("app")! });
  if ("serviceWorker" in navigator && import.meta.env.PROD) void navigator.serviceWorker.register("/sw.js");
});

// Prints the four scores of Lighthouse for the addresses given, on a phone's profile. CHROME_PATH names the browser.
import lighthouse from "lighthouse";
import { launch } from "chrome-launcher";

const chrome = await launch({ chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic"] });
let low = 0;
try {
  for (const url of process.argv.slice(2)) {
    const { lhr } = await lighthouse(url, { port: chrome.port, output: "json", logLevel: "error" });
    const scores = Object.values(lhr.categories).map(({ title, score }) => [title, Math.round(score * 100)]);
    console.log(url, scores.map(([title, score]) => `${title} ${score}`).join(", "));
    for (const audit of Object.values(lhr.audits)) {
      if (audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode !== "informative")
        console.log(`  ${audit.id}: ${audit.displayValue ?? audit.title}`);
    }
    low += scores.filter(([, score]) => score < 95).length;
  }
} finally {
  await chrome.kill();
}
process.exit(low ? 1 : 0);

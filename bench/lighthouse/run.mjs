// Prints the four scores of Lighthouse for the addresses given, on a phone's profile: medians of five runs. CHROME_PATH
// names the browser.
import lighthouse from "lighthouse";
import { launch } from "chrome-launcher";

const RUNS = 5;
const median = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
/** Tables are heavier than the home page: 90 is enough for their performance. */
const wanted = (url, category) => (category === "performance" && new URL(url).pathname !== "/" ? 90 : 95);

const chrome = await launch({ chromeFlags: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"] });
let low = 0;
try {
  for (const url of process.argv.slice(2)) {
    const runs = [];
    for (let i = 0; i < RUNS; i++) runs.push((await lighthouse(url, { port: chrome.port, output: "json", logLevel: "error" })).lhr);
    const scores = Object.keys(runs[0].categories).map((key) => [key, median(runs.map((run) => Math.round(run.categories[key].score * 100)))]);
    const bytes = Math.round(runs[0].audits["total-byte-weight"].numericValue / 1000);
    // Below 1000 the machine is too busy for its figures to mean much: an idle laptop has 1500 to 2500.
    const machine = Math.round(median(runs.map((run) => run.environment.benchmarkIndex)));
    console.log(url, scores.map(([key, score]) => `${key} ${score}`).join(", "), `(${bytes} KB, benchmark index ${machine})`);
    for (const audit of Object.values(runs[0].audits)) {
      if (audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode !== "informative")
        console.log(`  ${audit.id}: ${audit.displayValue ?? audit.title}`);
    }
    low += scores.filter(([key, score]) => score < wanted(url, key)).length;
  }
} finally {
  await chrome.kill();
}
process.exit(low ? 1 : 0);

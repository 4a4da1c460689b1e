/** What things on the table say about themselves. */
import { expect, test } from "vitest";
import { tipOf } from "../src/lib/tips";

/** The tip of the element with the id "it". */
function tip(html: string): string | undefined {
  document.body.innerHTML = `<main>${html}</main>`;
  return tipOf(document.querySelector("#it"))?.text;
}

test.each([
  ["its own words", `<g data-tip="5 sacks of salt left."><i id="it"></i></g>`, "5 sacks of salt left."],
  ["its title", `<span title="2 camels" id="it">2</span>`, "2 camels"],
  ["its name, if it has one", `<button aria-label="jewels 7" id="it">7</button>`, "jewels 7"],
  ["what screen readers read of it", `<span id="it"><b>3</b><b aria-hidden="true">×</b><span class="hidden-visually">gems</span></span>`, "3 gems"],
  ["nothing, if all of it can be seen", `<button id="it">Wait</button>`, undefined],
  ["nothing, if it is a region", `<section aria-label="Players"><i id="it"></i></section>`, undefined],
  ["nothing, if it is a group of things to choose from", `<div role="group" aria-label="My cards" id="it"><button>1</button></div>`, undefined],
  ["nothing, where the board has words of its own", `<svg data-tips="own"><g role="button" aria-label="Kerman" id="it"></g></svg>`, undefined],
])("a thing says %s", (_, html, said) => {
  expect(tip(html)).toBe(said);
});

test("the page itself is no thing, whatever screen readers read first", () => {
  document.body.innerHTML = `<div id="app"><a href="#content">Skip</a><p class="hidden-visually">heard</p><header id="it">Khiva</header></div>`;
  expect(tipOf(document.querySelector("#it"))).toBeNull();
});

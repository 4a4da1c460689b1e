/** What a thing on the table says about itself: the same words that a screen reader would read. */

/** As long as a tip may be; longer ones are the texts of whole panels. */
const LONG = 240;
/** Elements whose label is their name. Regions and lists have labels too, which say nothing about a thing. */
const NAMED = "button, a, time, [role=button], [role=img], [role=group]";
const ACTIVE = "button, a, input, select, [tabindex]";

const tidy = (text: string): string => text.replace(/\s+/g, " ").replace(/ ([,.;:])/g, "$1").trim();

/** The text of an element without what is hidden from screen readers. */
function read(node: Element): string {
  const parts = [...node.childNodes].map((child) => {
    if (child.nodeType === Node.TEXT_NODE) return child.textContent ?? "";
    return child instanceof Element && child.getAttribute("aria-hidden") !== "true" && child.localName !== "svg" ? ` ${read(child)} ` : "";
  });
  return tidy(parts.join(""));
}

/** What an element says of itself, or "" if nothing that is not to be seen anyway. */
export function saidBy(node: Element): string {
  const given = node.getAttribute("data-tip") ?? node.getAttribute("title") ?? node.querySelector(":scope > title")?.textContent;
  if (given) return given;
  const label = node.getAttribute("aria-label");
  // A group of things to choose from is no thing.
  if (label) return node.matches(NAMED) && !(node.getAttribute("role") === "group" && node.querySelector(ACTIVE)) ? label : "";
  return node.querySelector(":scope > .hidden-visually") ? read(node) : "";
}

/** The thing under a finger, a mouse or the focus, and what it says; null where a board shows its own words. */
export function tipOf(target: Element | null): { node: Element; text: string } | null {
  if (target?.closest("[data-tips=own]")) return null;
  for (let node = target; node && !node.matches("main, dialog, #app, body"); node = node.parentElement) {
    const text = saidBy(node);
    if (text && text.length < LONG) return { node, text };
  }
  return null;
}

/** The rules of a game as a page of blocks, and whether they are open beside the board. */

export interface Block {
  kind: "h1" | "h2" | "p" | "li" | "rule" | "figure";
  /** The id of a rule, or the name of a figure. */
  id?: string;
  text: string;
}

/** Read a subset of Markdown: headings, paragraphs, lists and numbered rules, figures. */
export function read(page: string): Block[] {
  return page.split(/\n{2,}/).flatMap((part): Block[] => {
    const text = part.trim();
    if (text.startsWith("## ")) return [{ kind: "h2", text: plain(text.slice(3)) }];
    if (text.startsWith("# ")) return [{ kind: "h1", text: plain(text.slice(2)) }];
    const rule = /^\*\*([A-Z]\d+)\.\*\* ([\s\S]+)$/.exec(text);
    if (rule) return [{ kind: "rule", id: rule[1], text: plain(rule[2]!) }];
    const figure = /^!\[([^\]]+)\]\(figure:([\w-]+)\)$/.exec(text);
    if (figure) return [{ kind: "figure", id: figure[2], text: plain(figure[1]!) }];
    if (text.startsWith("- ")) return text.split(/\n(?=- )/).map((item) => ({ kind: "li", text: plain(item.slice(2)) }));
    return text ? [{ kind: "p", text: plain(text) }] : [];
  });
}

const plain = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ").replaceAll(/[*`]+/g, "");

/** Letters without case and accents, one for each of the text. */
const fold = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => text.charAt(i).normalize("NFD").charAt(0).toLowerCase()).join("");

/** The blocks in which all words occur or begin, each under its heading; a rule is also found by its id. */
export function search(blocks: Block[], asked: string): Block[] {
  const wanted = fold(asked).split(/\s+/).filter(Boolean);
  if (!wanted.length) return blocks;
  const found: Block[] = [];
  let heading: Block | null = null;
  for (const block of blocks) {
    if (block.kind === "h1") continue;
    if (block.kind === "h2") heading = block;
    const text = fold(`${block.id ?? ""} ${block.text}`);
    if (block.kind === "h2" || !wanted.every((word) => text.includes(word))) continue;
    if (heading) found.push(heading);
    heading = null;
    found.push(block);
  }
  return found;
}

/** A text in parts, those that were searched for marked. */
export function marked(text: string, asked: string): { text: string; hit: boolean }[] {
  const wanted = fold(asked).split(/\s+/).filter(Boolean);
  const folded = fold(text);
  const hits = new Uint8Array(text.length);
  for (const word of wanted) {
    for (let i = folded.indexOf(word); i >= 0; i = folded.indexOf(word, i + 1)) hits.fill(1, i, i + word.length);
  }
  const parts: { text: string; hit: boolean }[] = [];
  for (let i = 0; i < text.length; i++) {
    const hit = hits[i] === 1;
    if (parts.at(-1)?.hit === hit) parts.at(-1)!.text += text.charAt(i);
    else parts.push({ text: text.charAt(i), hit });
  }
  return parts;
}

class Rulebook {
  /** Whether the rules are open beside the board. */
  open = $state(false);
  /** The rule at which they are open, empty for the beginning. An object, so that the same one can be asked for again. */
  at: { rule: string } = $state.raw({ rule: "" });

  show(rule = ""): void {
    this.at = { rule };
    this.open = true;
  }
}

export const rulebook = new Rulebook();

/** Open the panel instead of following a link to the rules of this game. */
export function openRules(event: MouseEvent, game: string): void {
  const link = (event.target as Element | null)?.closest?.("a");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.origin !== location.origin || link.pathname !== `/rules/${game}`) return;
  event.preventDefault();
  // Nothing can be read behind a modal dialog.
  link.closest("dialog")?.close();
  rulebook.show(link.hash.slice(1));
}

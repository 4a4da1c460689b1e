import { inTurn } from "../../lib/frames.svelte";

/** How many elements of the drawing are added at once. */
const BATCH = 50;

/**
 * Draw a map, our own drawing from our own house, a few elements at a time: all of its hundreds of letters and lines at
 * once would block a phone for a while.
 */
export function unroll(drawing: string) {
  return (node: HTMLElement): (() => void) => {
    let svg: Element | undefined;
    let pieces: Element[] = [];
    function begin(): void {
      const template = document.createElement("template");
      template.innerHTML = drawing;
      const whole = template.content.firstElementChild!;
      for (const title of whole.querySelectorAll("title")) title.remove();
      svg = document.importNode(whole, false);
      pieces = [...whole.children];
      node.append(svg);
      stop = inTurn(more);
    }
    function more(): void {
      svg!.append(...pieces.splice(0, BATCH));
      if (pieces.length) stop = inTurn(more);
    }
    let stop = inTurn(begin);
    return () => {
      stop();
      svg?.remove();
    };
  };
}

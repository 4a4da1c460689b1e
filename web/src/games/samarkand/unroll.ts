/** How many elements of the drawing are added at once. */
const BATCH = 50;

/**
 * Draw a map, our own drawing from our own house, a few elements at a time: all of its hundreds of letters and lines at
 * once would block a phone for a while.
 */
export function unroll(drawing: string) {
  return (node: HTMLElement): (() => void) => {
    const template = document.createElement("template");
    template.innerHTML = drawing;
    const whole = template.content.firstElementChild!;
    const svg = document.importNode(whole, false);
    for (const title of whole.querySelectorAll("title")) title.remove();
    const pieces = [...whole.children];
    let timer: ReturnType<typeof setTimeout>;
    function more(): void {
      svg.append(...pieces.splice(0, BATCH));
      if (pieces.length) timer = setTimeout(more);
    }
    node.append(svg);
    timer = setTimeout(more);
    return () => {
      clearTimeout(timer);
      svg.remove();
    };
  };
}

/** A router: the URL is the state of the page, and links are real links. */
const state = $state({ path: location.pathname });

addEventListener("popstate", () => {
  state.path = location.pathname;
});

/** The parts of the path: "/t/abc" is ["t", "abc"]. */
export function parts(): string[] {
  return state.path.split("/").filter(Boolean).map(decodeURIComponent);
}

export function go(to: string, replace = false): void {
  history[replace ? "replaceState" : "pushState"](null, "", to);
  state.path = location.pathname;
  scrollTo(0, 0);
  // Screen readers and Tab start at the new page.
  requestAnimationFrame(() => document.querySelector<HTMLElement>("main")?.focus());
}

/** Follow our own links without a reload. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.("a");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (link.pathname.startsWith("/api/")) return;
  if (link.pathname === location.pathname && link.hash) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

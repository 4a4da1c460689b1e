/** Applying patches of `registan.tables.patch`: `[path, value]`, `[path]` or `[path, values, "rest"]`. */
export type Change = [path: (string | number)[], value?: unknown, rest?: "rest"];

type Node = Record<string | number, unknown>;

/** Apply changes to a value, which stays as it was: only what is on a changed path is copied. */
export function apply<T>(old: T, changes: Change[]): T {
  let root: unknown = old;
  const fresh = new Set<unknown>();
  const copy = (value: unknown): Node => {
    if (fresh.has(value)) return value as Node;
    const made = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
    fresh.add(made);
    return made as unknown as Node;
  };
  for (const change of changes) {
    const [path, value, rest] = change;
    const last = path.at(-1);
    if (last === undefined) {
      root = value;
      continue;
    }
    root = copy(root);
    let place = root as Node;
    for (const step of path.slice(0, -1)) place = place[step] = copy(place[step]);
    if (rest) (place as unknown as unknown[]).splice(Number(last), Infinity, ...(value as unknown[]));
    else if (change.length > 1) place[last] = value;
    else delete place[last];
  }
  return root as T;
}

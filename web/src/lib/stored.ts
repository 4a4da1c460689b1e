/** Local storage that fails silently. */
export function stored<T>(name: string, fallback: T): T {
  try {
    const text = localStorage.getItem(`registan.${name}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

export function store(name: string, value: unknown): void {
  try {
    localStorage.setItem(`registan.${name}`, JSON.stringify(value));
  } catch {
    // A private window may forbid it.
  }
}

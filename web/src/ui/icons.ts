/** Small drawings for lines of the log: SVG paths in 24 × 24, drawn as outlines. */
export const ICONS = {
  camel: "M3 13c1-3 3-4 4-4s2 2 3 2 2-4 4-4 2 4 4 4V6l3 1M6 13v6M10 13v6M14 13v6M18 11v8",
  cards: "M4 7l9-3 4 12-9 3zM14 6l6 2-4 11-4-1",
  coin: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v8M9.5 10h4a1.5 1.5 0 0 1 0 3h-3a1.5 1.5 0 0 0 0 3h4",
  rings: "M9 9a5 5 0 1 0 0 10A5 5 0 0 0 9 9zM15 9a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12 3l2 2-2 2-2-2z",
  bag: "M8 9c-4 4-5 11 0 11h8c5 0 4-7 0-11zM8 9h8M9 9L8 5h8l-1 4",
  gavel: "M5 19h9M7 11l6-6 5 5-6 6zM4 15l5-5",
  shuffle: "M3 7h4l10 10h4M3 17h4L17 7h4M18 4l3 3-3 3M18 14l3 3-3 3",
} as const;

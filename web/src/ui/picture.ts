/** The result of a game as a picture to share, drawn in the colours of the page. */

export const [WIDTH, HEIGHT] = [1080, 1350];
const MARGIN = 72;

export interface Result {
  game: string;
  /** The date, as text. */
  date: string;
  /** "Ann wins!" */
  headline: string;
  /** By rank. */
  players: { seat: number; name: string; points: number; told: string }[];
  /** By moment, by seat. */
  curve: number[][];
}

type Pen = CanvasRenderingContext2D;

/** A text that is no wider than it may be. */
function within(pen: Pen, text: string, width: number): string {
  if (pen.measureText(text).width <= width) return text;
  let cut = text;
  while (cut && pen.measureText(`${cut}…`).width > width) cut = cut.slice(0, -1);
  return `${cut}…`;
}

/** The eight-pointed star of the Registan's tiles. */
function star(pen: Pen, x: number, y: number, r: number): void {
  pen.beginPath();
  for (let i = 0; i < 16; i++) {
    const [reach, angle] = [i % 2 ? r * 0.765 : r, (i * Math.PI) / 8];
    pen.lineTo(x + reach * Math.cos(angle), y + reach * Math.sin(angle));
  }
  pen.closePath();
}

/** A band of stars and crosses. */
function girih(pen: Pen, top: number, height: number, colour: string): void {
  const size = 60;
  pen.save();
  pen.beginPath();
  pen.rect(0, top, WIDTH, height);
  pen.clip();
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.globalAlpha = 0.3;
  for (let x = size / 2; x < WIDTH + size; x += size) {
    for (let y = top + size / 2; y < top + height + size; y += size) {
      star(pen, x, y, size / 2);
      pen.stroke();
      pen.beginPath();
      pen.arc(x, y, size * 0.15, 0, 2 * Math.PI);
      pen.stroke();
    }
  }
  pen.restore();
}

function drawCurve(pen: Pen, curve: number[][], top: number, height: number, colour: (name: string) => string): void {
  const values = curve.flat();
  const [most, least] = [Math.max(1, ...values), Math.min(0, ...values)];
  const x = (i: number): number => MARGIN + (i / (curve.length - 1)) * (WIDTH - 2 * MARGIN);
  const y = (value: number): number => top + ((most - value) / (most - least)) * height;
  pen.strokeStyle = colour("line");
  pen.lineWidth = 2;
  for (const value of [least, (least + most) / 2, most]) {
    pen.beginPath();
    pen.moveTo(MARGIN, y(value));
    pen.lineTo(WIDTH - MARGIN, y(value));
    pen.stroke();
  }
  pen.lineWidth = 6;
  pen.lineJoin = "round";
  curve[0]!.forEach((_, seat) => {
    pen.strokeStyle = colour(`seat-${seat}`);
    pen.beginPath();
    curve.forEach((now, i) => pen.lineTo(x(i), y(now[seat]!)));
    pen.stroke();
  });
}

/** Draw the picture as a PNG. */
export async function picture({ game, date, headline, players, curve }: Result): Promise<Blob> {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const [display, text] = [colour("display"), colour("text")];
  await Promise.all([document.fonts.load(`60px ${display}`), document.fonts.load(`600 40px ${text}`)]);
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const pen = canvas.getContext("2d")!;
  const write = (said: string, x: number, y: number, font: string, fill: string, align: CanvasTextAlign = "left", width = WIDTH - 2 * MARGIN): void => {
    pen.font = font;
    pen.fillStyle = colour(fill);
    pen.textAlign = align;
    pen.fillText(within(pen, said, width), x, y);
  };

  pen.fillStyle = colour("panel");
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  for (const [top, height] of [[0, 300], [HEIGHT - 96, 96]] as const) {
    pen.fillStyle = colour("paper");
    pen.fillRect(0, top, WIDTH, height);
    girih(pen, top, height, colour("turquoise"));
  }
  write(game, WIDTH / 2, 118, `58px ${display}`, "ink", "center");
  write(date, WIDTH / 2, 176, `32px ${text}`, "soft", "center");
  write(headline, WIDTH / 2, 258, `64px ${display}`, "lapis", "center");

  const most = Math.max(1, ...players.map(({ points }) => points));
  const [first, row] = [350, 112];
  players.forEach(({ seat, name, points, told }, place) => {
    const y = first + place * row;
    pen.fillStyle = colour(`seat-${seat}`);
    star(pen, MARGIN + 38, y + 34, 40);
    pen.fill();
    write([...name][0] ?? "", MARGIN + 38, y + 48, `600 40px ${text}`, "panel", "center");
    write(told, WIDTH - MARGIN, y + 36, `44px ${display}`, "ink", "right", 320);
    write(`${place + 1}  ${name}`, MARGIN + 100, y + 34, `600 40px ${text}`, "ink", "left", 480);
    const long = WIDTH - 2 * MARGIN - 100;
    for (const [length, fill] of [[long, "sunk"], [(long * Math.max(0, points)) / most, `seat-${seat}`]] as const) {
      pen.fillStyle = colour(fill);
      pen.fillRect(MARGIN + 100, y + 52, length, 14);
    }
  });
  const top = first + players.length * row + 20;
  if (curve.length > 2) drawCurve(pen, curve, top, HEIGHT - 96 - 50 - top, colour);
  write("Registan", WIDTH / 2, HEIGHT - 34, `44px ${display}`, "brass", "center");
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}

/** Share a picture where the browser can share files, otherwise download it. */
export async function hand(blob: Blob, name: string): Promise<void> {
  const file = new File([blob], name, { type: blob.type });
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] }).catch(() => undefined); // the person closed the dialog
    return;
  }
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Synthesised sounds of wood and brass. Off by default. */
import { afterPaint } from "./frames.svelte";
import { settings, type Sound } from "./settings.svelte";

let context: AudioContext | undefined;

/** Browsers are silent until the first touch or key: from then on a hidden page can be heard too. */
function wake(): void {
  if (!settings.sound) return;
  if (context) return void (context.state === "suspended" && context.resume());
  // It takes a phone a tenth of a second: the touch is shown first.
  afterPaint(() => (context ??= new AudioContext()));
}
addEventListener("pointerdown", wake);
addEventListener("keydown", wake);

function voice(frequency: number, seconds: number, type: OscillatorType, volume: number, delay = 0): void {
  if (!context) return wake();
  // What was not to be heard then is not heard later.
  if (context.state !== "running") return;
  const at = context.currentTime + delay;
  const tone = context.createOscillator();
  const gain = context.createGain();
  tone.type = type;
  tone.frequency.setValueAtTime(frequency, at);
  tone.frequency.exponentialRampToValueAtTime(frequency * 0.7, at + seconds);
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(volume, at + 0.005);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  tone.connect(gain).connect(context.destination);
  tone.start(at);
  tone.stop(at + seconds + 0.05);
}

const SOUNDS = {
  /** Wood: a piece is placed. */
  wood: () => voice(220, 0.12, "triangle", 0.25),
  /** Brass: it is your turn. */
  bell: () => [voice(660, 0.7, "sine", 0.18), voice(990, 0.5, "sine", 0.08, 0.04)],
  /** Somebody says something. */
  word: () => voice(520, 0.08, "sine", 0.12),
  coin: () => [voice(1320, 0.15, "sine", 0.1), voice(1760, 0.2, "sine", 0.08, 0.06)],
  /** A tick of the falling price. */
  tick: () => voice(440, 0.06, "triangle", 0.15),
  stop: () => [voice(180, 0.25, "triangle", 0.35), voice(90, 0.3, "sine", 0.3)],
};

const KINDS: Partial<Record<keyof typeof SOUNDS, Sound>> = { bell: "turn", word: "chat" };

export function sound(name: keyof typeof SOUNDS): void {
  if (settings.hears(KINDS[name] ?? "moves")) SOUNDS[name]();
}

/** SHA-256 and HMAC-SHA-256, in hexadecimal. */

// WebCrypto exists in secure contexts only, and friends come to a house at home over plain HTTP.
const subtle = (globalThis.crypto as Crypto | undefined)?.subtle as SubtleCrypto | undefined;

export const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));

export async function sha256(data: Uint8Array<ArrayBuffer>): Promise<string> {
  return hex(subtle ? new Uint8Array(await subtle.digest("SHA-256", data)) : digest(data));
}

export async function hmac(key: Uint8Array<ArrayBuffer>, data: Uint8Array<ArrayBuffer>): Promise<string> {
  if (!subtle) return hex(plainHmac(key, data));
  const made = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(new Uint8Array(await subtle.sign("HMAC", made, data)));
}

/** The first bits of the fractional parts of roots of the first primes (FIPS 180-4). */
function roots(count: number, root: (prime: number) => number): Uint32Array {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (!found.some((prime) => n % prime === 0)) found.push(n);
  return Uint32Array.from(found, (prime) => (root(prime) % 1) * 2 ** 32);
}

const ROUNDS = roots(64, Math.cbrt);
const START = roots(8, Math.sqrt);
const turn = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

/** SHA-256 without WebCrypto. */
export function digest(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new DataView(new ArrayBuffer(((data.length + 72) >> 6) << 6));
  data.forEach((byte, i) => padded.setUint8(i, byte));
  padded.setUint8(data.length, 0x80);
  padded.setUint32(padded.byteLength - 4, data.length * 8);
  const state = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.byteLength; block += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) words[i] = padded.getUint32(block + 4 * i);
      else {
        const [far, near] = [words[i - 15]!, words[i - 2]!];
        const low = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
        const high = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
        words[i] = words[i - 16]! + low + words[i - 7]! + high;
      }
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i]! + words[i]!;
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (state[i]! += value));
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setUint32(4 * i, word));
  return new Uint8Array(out.buffer);
}

/** HMAC-SHA-256 without WebCrypto (RFC 2104), for keys of at most 64 bytes. */
export function plainHmac(key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const pad = (mask: number): number[] => Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ mask);
  return digest(Uint8Array.from([...pad(0x5c), ...digest(Uint8Array.from([...pad(0x36), ...data]))]));
}

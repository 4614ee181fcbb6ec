/** Points of secp256k1, for sums of public keys: nothing secret comes here, so nothing has to take the same time. */
export type Point = { x: bigint; y: bigint };

const FIELD = 2n ** 256n - 2n ** 32n - 977n;

/** Reads an uncompressed key: 04, x, y as hexadecimal text. */
export function pointOf(text: string): Point {
  const [, x, y] = /^04([0-9a-f]{64})([0-9a-f]{64})$/.exec(text) ?? [];
  if (x === undefined || y === undefined) throw new Error("this is no uncompressed public key");
  return { x: BigInt(`0x${x}`), y: BigInt(`0x${y}`) };
}

export const textOf = ({ x, y }: Point): string => `04${word(x)}${word(y)}`;

/** The sum of two keys that are neither equal nor opposite. */
export function addPoints(one: Point, other: Point): Point {
  if (one.x === other.x) throw new Error("the sum of equal or opposite keys is not for addresses");
  const slope = inField((other.y - one.y) * inverse(inField(other.x - one.x)));
  const x = inField(slope * slope - one.x - other.x);
  return { x, y: inField(slope * (one.x - x) - one.y) };
}

const word = (value: bigint): string => value.toString(16).padStart(64, "0");

function inField(value: bigint): bigint {
  const rest = value % FIELD;
  return rest < 0n ? rest + FIELD : rest;
}

/** By Euclid's algorithm. */
function inverse(value: bigint): bigint {
  let [a, b, u, v] = [value, FIELD, 1n, 0n];
  while (a !== 1n) {
    const quotient = b / a;
    [a, b, u, v] = [b % a, a, v - quotient * u, u];
  }
  return inField(u);
}

import { createHmac } from "node:crypto";

const TAGS = 2n ** 32n;
const HALF = 16;
const HALF_MASK = 0xffff;
/** Four would do for a secure round function (Luby and Rackoff); a few more cost microseconds. */
const ROUNDS = 8;

/**
 * The memo of an order at an address that many share: a number of 32 bits, which XRP, Stellar and TON can all carry. It is a permutation of
 * the index under a secret key (a Feistel network): no two indexes share one, and without the key nobody can tell how many orders there
 * are, which of two came first, or what the next one has.
 */
export function deriveMemo(key: string, index: bigint): string {
  if (index < 0n || index >= TAGS) throw new RangeError(`there is no memo number ${index}`);
  let left = Number(index >> BigInt(HALF));
  let right = Number(index) & HALF_MASK;
  for (let round = 0; round < ROUNDS; round += 1) {
    const mixed = createHmac("sha256", key).update(`${round} ${right}`).digest().readUInt16BE(0);
    [left, right] = [right, left ^ mixed];
  }
  return ((BigInt(left) << BigInt(HALF)) | BigInt(right)).toString();
}

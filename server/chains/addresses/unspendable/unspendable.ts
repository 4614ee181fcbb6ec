/** Addresses that nobody can spend from, by the text that documents them. */
export type Documented = Readonly<Record<string, readonly string[]>>;

export const addressesIn = (documented: Documented): ReadonlySet<string> => new Set(Object.values(documented).flat());

/** Ten equal characters in a row: chance writes them into one address in 10^11. */
const LONG_RUN = /(.)\1{9}/;
const EQUAL_BYTES = 8;

/**
 * Whether an address was written by hand instead of being made from a key or a script: a run of equal characters, or of equal bytes in
 * `payload`, which is its key or hash. No key is known for such an address, or can be found.
 */
export function isMadeUp(text: string, payload: Uint8Array): boolean {
  if (LONG_RUN.test(text)) return true;
  let run = 0;
  return payload.some((byte, at) => {
    run = at > 0 && byte === payload[at - 1] ? run + 1 : 1;
    return run >= EQUAL_BYTES;
  });
}

import { isSameAddress } from "#contract/address.ts";

/** A list that is asked for again when it is old; a failure keeps nobody from asking again. */
export function remembered<T>(load: () => Promise<T>, validMs: number, now: () => number = Date.now): () => Promise<T> {
  let known: { at: number; value: Promise<T> } | null = null;
  return async () => {
    if (known !== null && now() - known.at < validMs) return known.value;
    const asked = { at: now(), value: load() };
    known = asked;
    try {
      return await asked.value;
    } catch (error) {
      if (known === asked) known = null;
      throw error;
    }
  };
}

/** Whether two contract addresses are the same; null is a network's own coin. */
export const isSameContract = (one: string | null, other: string | null): boolean =>
  one === other || (one !== null && other !== null && isSameAddress(one, other));

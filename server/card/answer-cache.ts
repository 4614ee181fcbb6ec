import { setBounded } from "../base/bounded-map.ts";
import { tooManyQuestions } from "./provider-limits.ts";

const MAX_KNOWN = 1_000;

/**
 * Answers that are asked for again after `validMs`, by their keys; a failure is not remembered, and equal questions are asked once. Where
 * `mayAsk` refuses, an answer of the last `staleMs` is given, else an `OverloadError` is thrown.
 */
export function createAnswerCache<T>(validMs: number, { staleMs = validMs, now = Date.now } = {}) {
  const known = new Map<string, { at: number; value: Promise<T> }>();
  const remember = async (key: string, load: () => Promise<T>, mayAsk: () => boolean = () => true): Promise<T> => {
    const found = known.get(key);
    const age = found === undefined ? Infinity : now() - found.at;
    if (found !== undefined && age < validMs) return found.value;
    if (!mayAsk()) {
      if (found !== undefined && age < staleMs) return found.value;
      throw tooManyQuestions();
    }
    const asked = { at: now(), value: load() };
    setBounded(known, key, asked, MAX_KNOWN);
    try {
      return await asked.value;
    } catch (error) {
      if (known.get(key) === asked) known.delete(key);
      throw error;
    }
  };
  return Object.assign(remember, { forget: (key: string): void => void known.delete(key) });
}

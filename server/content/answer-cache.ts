import type { CachedAnswer } from "../base/cached-answer.ts";

export type AnswerCache = {
  has(path: string): boolean;
  get(path: string): CachedAnswer<unknown> | undefined;
  delete(path: string): void;
  /** `length` is what the answer holds, in characters. */
  set(path: string, answer: CachedAnswer<unknown>, length: number): void;
};

/** So many answers by their paths, and so many characters of them all; the one that was used longest ago makes room. */
export function answerCache({ max, maxLength }: { max: number; maxLength: number }): AnswerCache {
  const known = new Map<string, { answer: CachedAnswer<unknown>; length: number }>();
  let total = 0;

  const drop = (path: string): void => {
    total -= known.get(path)?.length ?? 0;
    known.delete(path);
  };

  return {
    has: (path) => known.has(path),
    get(path) {
      const found = known.get(path);
      if (found === undefined) return undefined;
      known.delete(path);
      known.set(path, found);
      return found.answer;
    },
    delete: drop,
    set(path, answer, length) {
      drop(path);
      known.set(path, { answer, length });
      total += length;
      for (const oldest of known.keys()) {
        if (known.size <= max && total <= maxLength) return;
        drop(oldest);
      }
    },
  };
}

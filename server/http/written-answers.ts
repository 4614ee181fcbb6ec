import { setBounded } from "../base/bounded-map.ts";

/** Different requests whose answers are held at a time; the oldest one is dropped first. */
const MAX_ANSWERS = 1_000;

/** What answers are made of, compared by identity: those of an older version are never given. Throws what the call itself would throw. */
export type AnswerVersion = () => unknown;

/** The texts of answers that many callers get, by URL: each is written once per version. */
export type WrittenAnswers = {
  /** Null also while the version throws: the call itself then asks for it again, and its caller gets the error. */
  find(url: string): string | null;
  /** Keeps an answer that was made of `version`; one that is outdated by then is dropped. */
  keep(url: string, version: unknown, text: string): void;
  version: AnswerVersion;
};

export function createWrittenAnswers(version: AnswerVersion, max = MAX_ANSWERS): WrittenAnswers {
  const answers = new Map<string, string>();
  let madeOf: unknown = null;

  const catchUp = (): void => {
    const now = version();
    if (now === madeOf) return;
    answers.clear();
    madeOf = now;
  };

  return {
    version,
    find: (url) => {
      try {
        catchUp();
      } catch {
        // The version is asked again by the call.
        return null;
      }
      return answers.get(url) ?? null;
    },
    keep: (url, given, text) => {
      catchUp();
      if (given !== madeOf) return;
      setBounded(answers, url, text, max);
    },
  };
}

/** Null until the text is written for the first time. */
const textOf = new WeakMap<object, string | null>();

/** Marks an answer that is given more than once and never changed, so that it is written only once. */
export function shareAnswer<Answer extends object>(answer: Answer): Answer {
  textOf.set(answer, null);
  return answer;
}

/** The text of a shared answer, by `write` the first time; null for one that is not shared. */
export function sharedText(answer: unknown, write: (answer: unknown) => string): string | null {
  if (typeof answer !== "object" || answer === null) return null;
  const known = textOf.get(answer);
  if (known !== null) return known ?? null;
  const text = write(answer);
  textOf.set(answer, text);
  return text;
}

/** Null until the bytes are written for the first time. */
const bytesOf = new WeakMap<object, Buffer | null>();

/** Marks an answer that is given more than once and never changed, so that its bytes are written only once. */
export function shareAnswer<Answer extends object>(answer: Answer): Answer {
  bytesOf.set(answer, null);
  return answer;
}

/** The bytes of a shared answer, by `write` the first time; null for one that is not shared. */
export function sharedBytes(answer: unknown, write: (answer: unknown) => string): Buffer | null {
  if (typeof answer !== "object" || answer === null) return null;
  const known = bytesOf.get(answer);
  if (known !== null) return known ?? null;
  const bytes = Buffer.from(write(answer));
  bytesOf.set(answer, bytes);
  return bytes;
}

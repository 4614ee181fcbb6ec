const MAX_KNOWN = 1_000;

/** Answers that are asked for again after a while, by their keys; a failure is not remembered, and equal questions are asked once. */
export function remembered<T>(validMs: number, now: () => number = Date.now) {
  const known = new Map<string, { at: number; value: Promise<T> }>();
  const remember = async (key: string, load: () => Promise<T>): Promise<T> => {
    const found = known.get(key);
    if (found !== undefined && now() - found.at < validMs) return found.value;
    known.delete(key);
    const [oldest] = known.keys();
    if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    const asked = { at: now(), value: load() };
    known.set(key, asked);
    try {
      return await asked.value;
    } catch (error) {
      if (known.get(key) === asked) known.delete(key);
      throw error;
    }
  };
  return Object.assign(remember, { forget: (key: string): void => void known.delete(key) });
}

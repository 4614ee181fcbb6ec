import { setTimeout as wait } from "node:timers/promises";

/** Waits for a state, not for a time; throws when it does not come. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await wait(20);
  }
}

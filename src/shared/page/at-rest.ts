import { onFirstTouch } from "./first-touch.ts";
import { nextTask } from "./next-task.ts";

/** Longer than a first load needs to hydrate once its scripts are there. */
const REST_AFTER_MS = 1_000;

let rest: Promise<void> | null = null;

/**
 * Resolves at the first touch of the page, else a second later when the browser is idle: for what a first load starts but nobody
 * waits for. Each who waits goes on in a task of their own: what they load together took 14 ms of processor time in one.
 */
export async function atRest(): Promise<void> {
  rest ??= untilRest();
  await rest;
  await nextTask();
}

const untilRest = (): Promise<void> =>
  new Promise((resolve) => {
    const whenIdle = () => {
      // Safari has none.
      const onIdle = globalThis.requestIdleCallback as typeof requestIdleCallback | undefined;
      if (onIdle === undefined) resolve();
      else onIdle(() => resolve());
    };
    const timer = setTimeout(whenIdle, REST_AFTER_MS);
    onFirstTouch(() => {
      clearTimeout(timer);
      resolve();
    });
  });

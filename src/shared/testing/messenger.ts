import type { Messenger } from "../../telegram/sdk/port.ts";

/** Lets the page believe that a messenger shows it; gives what ends that. */
export function insideMessenger(): () => void {
  document.documentElement.dataset["shell"] = "messenger";
  return () => {
    delete document.documentElement.dataset["shell"];
  };
}

/** A messenger that can what the test gives it: anything else fails. */
export const messengerOf = (can: Partial<Messenger>): Messenger =>
  new Proxy(can as Messenger, {
    get(target, name) {
      // What is awaited is asked whether it is a promise.
      if (name === "then" || name in target) return Reflect.get(target, name);
      throw new Error(`nobody expected ${String(name)}`);
    },
  });

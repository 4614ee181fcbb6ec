import { subscribe } from "valtio";
import { account } from "./account.ts";

/** Longer than the account call takes where it is asked at all. */
const KNOWN_MS = 15_000;

/** Resolves once the browser knows who is signed in; what can't be learnt in time stays a guest. */
export function untilAccountIsKnown(): Promise<void> {
  if (account.isKnown) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(finish, KNOWN_MS);
    const unsubscribe = subscribe(account, () => {
      if (account.isKnown) finish();
    });
  });
}

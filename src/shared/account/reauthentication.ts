import { proxy } from "valtio";
import { needsReauthentication } from "./failure.ts";

/** Whether the password is asked for once more; what was asked for goes on with the answer. */
export const reauthentication = proxy<{ isAsked: boolean }>({ isAsked: false });

let answer: ((isProven: boolean) => void) | null = null;

/** Does what may take the password once more (contract §8); null where the person would rather not. */
export async function withReauthentication<Result>(act: () => Promise<Result>): Promise<Result | null> {
  try {
    return await act();
  } catch (error) {
    if (!needsReauthentication(error)) throw error;
    return (await ask()) ? act() : null;
  }
}

function ask(): Promise<boolean> {
  answer?.(false);
  reauthentication.isAsked = true;
  return new Promise((resolve) => {
    answer = resolve;
  });
}

/** The dialog was sent, or closed. */
export function answerReauthentication(isProven: boolean): void {
  reauthentication.isAsked = false;
  answer?.(isProven);
  answer = null;
}

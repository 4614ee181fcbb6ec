import { type MethodName, postEvent, retrieveLaunchParams, supports } from "@telegram-apps/sdk-react";

type SdkFunction<Args extends readonly unknown[]> = ((...args: Args) => unknown) & {
  readonly isAvailable: () => boolean;
};

/** Calls a function of the SDK; false where this client doesn't support it, or fails. Never throws. */
export const attempt = <Args extends readonly unknown[]>(call: SdkFunction<Args>, ...args: Args): boolean =>
  call.isAvailable() && survives(() => call(...args));

/** Its overloads can't be chosen among by a variable. */
const post: (method: MethodName, params?: unknown) => void = postEvent;

/** Posts what the SDK has no function for, as `attempt` does. */
export const attemptPost = (method: MethodName, params?: object): boolean =>
  supports(method, retrieveLaunchParams().tgWebAppVersion) && survives(() => post(method, params));

function survives(call: () => unknown): boolean {
  try {
    call();
    return true;
  } catch (error) {
    console.warn("the Telegram client did not take a call", error);
    return false;
  }
}

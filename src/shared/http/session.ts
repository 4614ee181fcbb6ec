/** Renews the session after a 418: true when the call may be made again, false when the session is over. Throws where nobody answered. */
type Renewal = () => Promise<boolean>;

let renewal: Renewal | null = null;
let running: Promise<boolean> | null = null;

/** How Telegram's sessions are renewed: by the launch data. Without one the refresh cookie is used. */
export function setRenewal(renew: Renewal | null): void {
  renewal = renew;
}

let signIn: Promise<unknown> = Promise.resolve();

/** Calls of the session wait for a sign-in that is under way: one that goes before it would be a guest's. */
export function waitForSignIn(running: Promise<unknown>): void {
  signIn = Promise.allSettled([running]);
}

/** Resolves once no sign-in is under way, whether it succeeded or failed. */
export const signInSettled = (): Promise<unknown> => signIn;

/** One renewal for all calls that wait for it. */
export function renewSession(byCookie: Renewal): Promise<boolean> {
  running ??= (renewal ?? byCookie)().finally(() => {
    running = null;
  });
  return running;
}

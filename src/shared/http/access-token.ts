import { proxy } from "valtio";
import { subscribeKey } from "valtio/utils";

/** The Telegram session. In memory only: no other page and no later visit may find the token (contract §4). */
const session = proxy<{ accessToken: string | null; endings: number; renewals: number }>({
  accessToken: null,
  endings: 0,
  renewals: 0,
});

/** The Telegram session's token; null on the web, where the session is in cookies (contract §4). */
export const accessToken = (): string | null => session.accessToken;

export function setAccessToken(token: string | null): void {
  session.accessToken = token;
}

/** The service accepts the session of this token no longer; null for the session of the cookies. */
export function endSession(refused: string | null): void {
  if (refused !== session.accessToken) return;
  session.accessToken = null;
  session.endings += 1;
}

/** An expired session was renewed: account data is fetched anew (spec §4). */
export function reportRenewal(): void {
  session.renewals += 1;
}

/** Calls the listener each time that the service refuses the session; returns the function that stops it. */
export const onSessionEnd = (listener: () => void): (() => void) => subscribeKey(session, "endings", listener, true);

/** The same for each renewal of an expired session. */
export const onRenewal = (listener: () => void): (() => void) => subscribeKey(session, "renewals", listener, true);

import { proxy } from "valtio";
import { subscribeKey } from "valtio/utils";

/** The Telegram session. In memory only: no other page and no later visit may find the token (contract §4). */
const session = proxy<{ accessToken: string | null; endings: number }>({ accessToken: null, endings: 0 });

export const accessToken = (): string | null => session.accessToken;

export function setAccessToken(token: string | null): void {
  session.accessToken = token;
}

/** The service no longer accepts this token. */
export function endSession(refused: string): void {
  if (refused !== session.accessToken) return;
  session.accessToken = null;
  session.endings += 1;
}

/** Calls the listener each time that the service refuses the session's token; returns the function that stops it. */
export const onSessionEnd = (listener: () => void): (() => void) => subscribeKey(session, "endings", listener, true);

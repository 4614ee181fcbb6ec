/** Of Telegram's session. In memory alone: no other page, and no later visit, may find it (contract §4). */
let token: string | null = null;
let tell: () => void = () => undefined;

export const accessToken = (): string | null => token;

export function keepAccessToken(given: string | null): void {
  token = given;
}

/** The service doesn't take this token any more: who follows the session is told, once. */
export function endSession(refused: string): void {
  if (refused !== token) return;
  token = null;
  tell();
}

/** One follows it: the last who asked to. */
export function onSessionEnd(listener: () => void): void {
  tell = listener;
}

/** Of the messenger's session. In memory alone: no other page, and no later visit, may find it (contract §4). */
let token: string | null = null;
const listeners = new Set<() => void>();

export const accessToken = (): string | null => token;

export function keepAccessToken(given: string | null): void {
  token = given;
}

/** The service doesn't take this token any more: who follows sessions is told, once. */
export function endSession(refused: string): void {
  if (refused !== token) return;
  token = null;
  for (const listener of listeners) listener();
}

export function onSessionEnd(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Of the messenger's session. In memory alone: no other page, and no later visit, may find it (contract §4). */
let token: string | null = null;

export const accessToken = (): string | null => token;

export function keepAccessToken(given: string | null): void {
  token = given;
}

import { Secret, TOTP } from "otpauth";
import { expect } from "vitest";
import type { AccountBrowser } from "../http/account-browser.ts";
import { BOT_TOKEN, type TestApp } from "../http/http-app.ts";
import { launchData } from "./launch-data.ts";

/** Launch data of a Telegram user by the app's clock. */
export const launchOf = (app: TestApp, { id = 7, ageSeconds = 0 } = {}): string =>
  launchData(BOT_TOKEN, {
    auth_date: String(Math.floor(app.market.now.getTime() / 1000) - ageSeconds),
    user: JSON.stringify({ id }),
  });

/** What an authenticator app with this key shows. */
export const totpCode = (secret: string, at: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });

/** Turns the second factor of a signed-in browser on; its key. */
export async function turnOnSecondFactor(app: TestApp, browser: AccountBrowser): Promise<string> {
  const { secret } = (await browser.send("beginSecondFactor")).body as { secret: string };
  expect(await browser.send("confirmSecondFactor", { code: totpCode(secret, app.market.now) })).toMatchObject({
    http: 200,
  });
  return secret;
}

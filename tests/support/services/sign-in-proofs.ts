import { Secret, TOTP } from "otpauth";
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

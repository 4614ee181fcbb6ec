// What the examples of accounts are made of.

import type { AccountData, AccountSession } from "#contract/accounts/account.ts";
import type { AccountPushBody } from "#contract/accounts/push.ts";
import { AT } from "./exchange.ts";

export const EMAIL = "customer@example.com";
export const PASSWORD = "correct horse battery";
/** Of a mail. */
export const MAILED_CODE = "7KQ4M2XD";
export const SESSION_ID = "7f1c2a9e-4b6d-48f0-a3c5-e7d9b1f20846";
export const ACCESS_TOKEN = "aK3v9XQm7tR2bZc8LwY5nD1sHf6PjU0eGiToVrMxCqk";

export const ACCOUNT: AccountData = {
  userId: 7,
  email: EMAIL,
  permissions: "USER",
  adminPermissionsScope: null,
  isEmailConfirmed: true,
  isTelegramLinked: false,
  hasSecondFactor: false,
  createdAt: AT,
};

export const SESSION: AccountSession = {
  sessionId: SESSION_ID,
  kind: "LOCAL",
  device: "Firefox on Linux",
  isCurrent: true,
  createdAt: AT,
  lastUsedAt: AT,
};

export const PUSH_KEY = "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM";
export const PUSH_BROWSER: AccountPushBody = {
  endpoint: "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
  keys: { p256dh: PUSH_KEY, auth: "tBHItJI5svbpez7KI4CCXg" },
  expirationTime: null,
  locale: "en",
};

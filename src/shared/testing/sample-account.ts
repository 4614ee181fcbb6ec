import type { AccountData } from "#contract/accounts/account.ts";

/** Somebody who is signed in by email. */
export const sampleAccount = (over: Partial<AccountData> = {}): AccountData => ({
  userId: 7,
  email: "ann@mail.example",
  permissions: "USER",
  adminPermissionsScope: null,
  isEmailConfirmed: true,
  isTelegramLinked: false,
  hasSecondFactor: false,
  createdAt: "2026-01-01T00:00:00.000Z",
  ...over,
});

import { cardRows } from "./card/account-rows.ts";
import type { AccountRows } from "./db/account-rows.ts";
import { earningsRows } from "./earnings/account-rows.ts";
import { notificationRows } from "./notifications/account-rows.ts";
import { orderRows } from "./orders/account-rows.ts";
import { webhookRows } from "./partner-api/account-rows.ts";
import { verificationRows } from "./verification/account-rows.ts";
import type { Verification } from "./verification/port.ts";

/** What each area has of an account, in the order in which accounts ask them: orders before wallets, as a completion locks them. */
export const accountAreas = (verification: Pick<Verification, "exportOf">): readonly AccountRows[] => [
  orderRows,
  notificationRows,
  earningsRows,
  webhookRows,
  cardRows,
  verificationRows(verification),
];

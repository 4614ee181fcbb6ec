import { accountCalls } from "./accounts.ts";
import { apiKeyCalls } from "./api-keys.ts";
import { earningsCalls } from "./earnings.ts";
import { orderCalls } from "./orders.ts";
import { rateCalls } from "./rates.ts";
import { siteCalls } from "./site.ts";
import { userCalls } from "./users.ts";
import { verificationCalls } from "./verification.ts";

/** The calls that the app's client has from its first one on; the others come with the pages that make them. */
export const appCalls = {
  ...orderCalls,
  ...rateCalls,
  ...userCalls,
  ...accountCalls,
  ...apiKeyCalls,
  ...earningsCalls,
  ...verificationCalls,
  ...siteCalls,
};

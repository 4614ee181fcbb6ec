import { accountPushCalls } from "./account-push.ts";
import { cardCalls } from "./card.ts";
import { contentCalls } from "./content.ts";
import { inquiryCalls } from "./inquiries.ts";
import { pageCalls } from "./pages.ts";
import { priceCalls } from "./prices.ts";
import { webhookCalls } from "./webhooks.ts";

/** The calls of pages beside the exchange: the app's client loads them when the first one is made. */
export const deferredCalls = {
  ...contentCalls,
  ...pageCalls,
  ...inquiryCalls,
  ...webhookCalls,
  ...accountPushCalls,
  ...priceCalls,
  ...cardCalls,
};

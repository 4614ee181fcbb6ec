import { MAX_API_KEYS } from "#contract/accounts/api-keys.ts";
import type { apiKeyCalls } from "#contract/calls/api-keys.ts";
import type { webhookCalls } from "#contract/calls/webhooks.ts";
import { MAX_WEBHOOKS } from "#contract/webhooks.ts";
import { failure, type FailuresOf, invalid, MISSING, named } from "./failure.ts";
import { reauthenticate } from "./shared.ts";

const noKey = failure("ERR_NOT_FOUND", "The account has no such key", "There is no such API key");
const badList = invalid("whiteListIp", "must be addresses or CIDR ranges between commas");

export const noWebhook = named(
  "WebhookNotFound",
  failure("ERR_NOT_FOUND", "The account has no such webhook", "There is no such webhook"),
);
export const noDelivery = failure(
  "ERR_NOT_FOUND",
  "The webhook has no such delivery",
  "The webhook's log has no such delivery",
);
export const badUrl = invalid("url", "must begin with https://", "The URL can't be called");
export const tooManyWebhooks = failure(
  "ERR_UNPROCESSABLE_ENTITY",
  "The account has too many",
  `An account has at most ${MAX_WEBHOOKS} webhooks`,
);
export const badCursor = invalid("cursor", "is none of this list: begin again without it");
export const tooManyTests = failure(
  "ERR_BAD_REQUEST",
  "Five tests of the webhook wait",
  "Earlier tests of this webhook still wait for its receiver",
  { httpStatus: 429, retryAfterSeconds: 60 },
);
const badId = invalid("webhookId", "Invalid GUID");

export const programFailures: FailuresOf<keyof typeof apiKeyCalls | keyof typeof webhookCalls> = {
  listApiKeys: [],
  generateApiKey: [
    badList,
    failure("ERR_UNPROCESSABLE_ENTITY", "The account has too many", `An account has at most ${MAX_API_KEYS} API keys`),
  ],
  // A key that is opened further needs the proof; one that is locked does not.
  updateApiKey: [badList, reauthenticate, noKey],
  deleteApiKey: [invalid("apiId", MISSING), noKey],
  webhooks: [],
  createWebhook: [badUrl, tooManyWebhooks],
  deleteWebhook: [badId, noWebhook],
  webhookDeliveries: [badCursor, noWebhook],
  testWebhook: [badId, noWebhook, tooManyTests],
  redeliverWebhook: [badId, noWebhook, noDelivery],
};

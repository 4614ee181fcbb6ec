import { emptyAnswerSchema } from "../accounts/account.ts";
import {
  apiKeysAnswerSchema,
  deleteApiKeyBodySchema,
  generateApiKeyBodySchema,
  generatedApiKeySchema,
  updateApiKeyAnswerSchema,
  updateApiKeyBodySchema,
} from "../accounts/api-keys.ts";
import type { Call } from "./call.ts";

/** The keys with which an account's own programs sign their calls (spec §7, contract §8). */
export const apiKeyCalls = {
  listApiKeys: {
    method: "GET",
    path: "/api/v1/users/list-api-key",
    summary: "The account's API keys without their secrets, the newest first",
    timeoutMs: 15_000,
    answer: apiKeysAnswerSchema,
    isForSignedIn: true,
  },
  generateApiKey: {
    method: "POST",
    path: "/api/v1/users/generate-api-key",
    summary: "Makes an API key and answers its secret, once",
    timeoutMs: 15_000,
    body: generateApiKeyBodySchema,
    answer: generatedApiKeySchema,
    successStatus: 201,
    isForSignedIn: true,
    needsReauthentication: true,
  },
  updateApiKey: {
    method: "POST",
    path: "/api/v1/users/update-api-key",
    summary: "Sets an API key's name, the addresses that may use it, and whether it works",
    timeoutMs: 15_000,
    body: updateApiKeyBodySchema,
    answer: updateApiKeyAnswerSchema,
    isForSignedIn: true,
  },
  deleteApiKey: {
    method: "POST",
    path: "/api/v1/users/delete-api-key",
    summary: "Deletes an API key: its next call is refused",
    timeoutMs: 15_000,
    body: deleteApiKeyBodySchema,
    answer: emptyAnswerSchema,
    isForSignedIn: true,
  },
} as const satisfies Record<string, Call>;

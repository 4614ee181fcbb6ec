import {
  apiKeysAnswerSchema,
  type ApiKey,
  type GeneratedApiKey,
  type UpdateApiKeyBody,
} from "#contract/accounts/api-keys.ts";
import { type Seen, useSeen } from "../../../shared/account/last-seen.ts";
import { call } from "../../../shared/http/http.ts";

export const useApiKeys = (userId: number): Seen<ApiKey[]> =>
  useSeen(userId, "api keys", apiKeysAnswerSchema, () => call("listApiKeys"));

/** What a person sets of a key. */
export type KeyForm = { readonly name: string; readonly whiteListIp: string };

export const generateKey = (form: KeyForm): Promise<GeneratedApiKey> => call("generateApiKey", { body: form });

export const updateKey = (body: UpdateApiKeyBody): Promise<ApiKey> => call("updateApiKey", { body });

export const deleteKey = (apiId: string) => call("deleteApiKey", { body: { apiId } });

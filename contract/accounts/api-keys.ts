import * as z from "zod/mini";
import { isoTimeSchema } from "../fields.ts";
import { isIpList } from "./ip-list.ts";

// What calls about API keys take and answer (spec §3, §7, contract §8).

/** So many at a time in one account. */
export const MAX_API_KEYS = 5;
export const MAX_KEY_NAME = 64;
export const MAX_IP_LIST = 1024;

const nameSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_KEY_NAME));
/** Addresses and CIDR ranges with commas between them; calls from all others are refused. Empty: none is. */
const whiteListIpSchema = z
  .string()
  .check(z.trim(), z.maxLength(MAX_IP_LIST), z.refine(isIpList, "must be addresses or CIDR ranges between commas"));
const apiIdSchema = z.string().check(z.maxLength(64));

const apiKeySchema = z.object({
  apiId: z.string(),
  publicKey: z.string(),
  name: z.string(),
  whiteListIp: z.string(),
  isActive: z.boolean(),
  createdAt: isoTimeSchema,
  /** Null until its first call. */
  lastUsedAt: z.nullable(isoTimeSchema),
});
export type ApiKey = z.infer<typeof apiKeySchema>;
export const apiKeysAnswerSchema = z.array(apiKeySchema);

export const generateApiKeyBodySchema = z.object({
  name: nameSchema,
  whiteListIp: z._default(z.nullable(whiteListIpSchema), ""),
});
export type GenerateApiKeyBody = z.infer<typeof generateApiKeyBodySchema>;
/** The secret is in this answer alone: it signs calls, and can't be read again. */
export const generatedApiKeySchema = z.object({
  apiId: z.string(),
  publicKey: z.string(),
  secretKey: z.string(),
  name: z.string(),
  whiteListIp: z.string(),
  isActive: z.boolean(),
});
export type GeneratedApiKey = z.infer<typeof generatedApiKeySchema>;

export const updateApiKeyBodySchema = z.object({
  apiId: apiIdSchema,
  name: nameSchema,
  whiteListIp: whiteListIpSchema,
  isActive: z.boolean(),
});
export type UpdateApiKeyBody = z.infer<typeof updateApiKeyBodySchema>;
export const updateApiKeyAnswerSchema = apiKeySchema;

export const deleteApiKeyBodySchema = z.object({ apiId: apiIdSchema });

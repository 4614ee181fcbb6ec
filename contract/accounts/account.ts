import * as z from "zod/mini";
import { apiKeysAnswerSchema } from "./api-keys.ts";
import { emailSchema } from "./email.ts";
import { addressSchema, isoTimeSchema } from "../fields.ts";

// What calls about accounts take and answer (spec §7 "Account", contract §4 and §8).

/** A second factor's code: six digits of the authenticator app, or a recovery code. Asked for with ERR_FORBIDDEN `data.secondFactor`. */
const secondFactorCodeSchema = z.optional(z.nullable(z.string().check(z.maxLength(64))));
const fingerprintSchema = z.optional(z.nullable(z.string().check(z.maxLength(256))));
const launchDataSchema = z.string().check(z.maxLength(8192));
/** The language of mails to this person, as `locale` of an order. */
const localeSchema = z.optional(z.nullable(z.string().check(z.maxLength(35))));
/** Whether it is good enough is judged apart: ERR_VALIDATION `data.password`. */
const anyPasswordSchema = z.string().check(z.maxLength(1024));
const mailedCodeSchema = z.string().check(z.maxLength(64));

export const emptyAnswerSchema = z.object({});

/** Telegram's launch data exactly as received: its hash is over these bytes. */
export const launchBodySchema = z.object({ initData: launchDataSchema, code: secondFactorCodeSchema });

/** A bearer token of a Telegram session, valid for 24 hours; the app keeps it in memory only (contract §4). */
export const launchAnswerSchema = z.object({ accessToken: z.string(), userId: z.int() });

/**
 * spec §3, contract §8: `email` is null for an account that is not linked to one; it is confirmed once a mailed code came back; the scope is null unless `permissions` is ADMIN.
 */
export const accountDataSchema = z.object({
  userId: z.int(),
  email: z.nullable(z.string()),
  isEmailConfirmed: z.boolean(),
  permissions: z.enum(["USER", "ADMIN"]),
  adminPermissionsScope: z.nullable(z.readonly(z.array(z.string()))),
  isTelegramLinked: z.boolean(),
  hasSecondFactor: z.boolean(),
  createdAt: isoTimeSchema,
});
export type AccountData = z.infer<typeof accountDataSchema>;

export const createLocalBodySchema = z.object({
  email: emailSchema,
  password: anyPasswordSchema,
  browserFingerprint: fingerprintSchema,
  referrerAffiliateId: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
  locale: localeSchema,
});
export type CreateLocalBody = z.infer<typeof createLocalBodySchema>;

/** With Telegram's launch data the answer holds a bearer token, because third-party cookies are blocked in its frame. */
export const authenticateLocalBodySchema = z.object({
  email: z.string().check(z.maxLength(320)),
  password: anyPasswordSchema,
  browserFingerprint: fingerprintSchema,
  initData: z.optional(z.nullable(launchDataSchema)),
  code: secondFactorCodeSchema,
});
export type AuthenticateLocalBody = z.infer<typeof authenticateLocalBodySchema>;
export const authenticateLocalAnswerSchema = z.object({ accessToken: z.optional(z.string()) });

export const refreshBodySchema = z.object({ browserFingerprint: fingerprintSchema });

export const requestPasswordResetBodySchema = z.object({ email: emailSchema, locale: localeSchema });
export const resetPasswordBodySchema = z.object({
  email: z.string().check(z.maxLength(320)),
  password: anyPasswordSchema,
  resetCode: mailedCodeSchema,
});

export const linkTelegramBodySchema = z.object({ initData: launchDataSchema });

/** One of the two; launch data may be 5 minutes old at most. */
export const reauthenticateBodySchema = z.object({
  password: z.optional(z.nullable(anyPasswordSchema)),
  initData: z.optional(z.nullable(launchDataSchema)),
  code: secondFactorCodeSchema,
});
export type ReauthenticateBody = z.infer<typeof reauthenticateBodySchema>;
export const reauthenticateAnswerSchema = z.object({ validUntil: isoTimeSchema });

/** A place where the account is signed in. `device` is what its browser says it is. */
const accountSessionSchema = z.object({
  sessionId: z.string(),
  kind: z.enum(["LOCAL", "TELEGRAM"]),
  device: z.nullable(z.string()),
  isCurrent: z.boolean(),
  createdAt: isoTimeSchema,
  lastUsedAt: isoTimeSchema,
});
export const sessionsAnswerSchema = z.array(accountSessionSchema);
export type AccountSession = z.infer<typeof accountSessionSchema>;
export const endSessionBodySchema = z.object({ sessionId: z.string().check(z.maxLength(64)) });

export const changePasswordBodySchema = z.object({ password: anyPasswordSchema });
/** Mails a code to the new address; the account keeps its own until `confirmEmail`. */
export const changeEmailBodySchema = z.object({ email: emailSchema });
export const confirmEmailBodySchema = z.object({ code: mailedCodeSchema });

/** The key for the authenticator app: base32, and the `otpauth:` link of its QR code. */
export const secondFactorBeginAnswerSchema = z.object({ secret: z.string(), uri: z.string() });
export const secondFactorConfirmBodySchema = z.object({ code: z.string().check(z.maxLength(64)) });
/** Shown once; each works once in place of a code. */
export const secondFactorConfirmAnswerSchema = z.object({ recoveryCodes: z.array(z.string()) });

/** Orders that this device made as a guest, by what opens them; those of another account and unknown ones are left out silently. */
export const claimOrdersBodySchema = z.object({
  orders: z
    .array(z.object({ orderId: z.string().check(z.maxLength(512)), destinationAddress: addressSchema }))
    .check(z.maxLength(100)),
});
export const claimOrdersAnswerSchema = z.object({ claimed: z.array(z.string()) });

/** All that we hold about the account, as JSON. */
export const accountExportSchema = z.object({
  exportedAt: isoTimeSchema,
  account: accountDataSchema,
  telegramId: z.nullable(z.string()),
  locale: z.string(),
  sessions: sessionsAnswerSchema,
  apiKeys: apiKeysAnswerSchema,
  /** Without the photos, which only operators see. */
  verifications: z.array(z.record(z.string(), z.unknown())),
  orders: z.array(z.record(z.string(), z.unknown())),
  earnings: z.array(z.record(z.string(), z.unknown())),
  withdrawals: z.array(z.record(z.string(), z.unknown())),
  monthlyPayout: z.nullable(z.record(z.string(), z.unknown())),
  /** The ids of the account's links, and the clicks that they had by day. */
  referrals: z.object({
    referrerIds: z.array(z.record(z.string(), z.unknown())),
    clicks: z.array(z.record(z.string(), z.unknown())),
  }),
  /** Without their secrets. */
  webhooks: z.array(z.record(z.string(), z.unknown())),
  /** What the account's programs ordered for its customers, whose addresses are theirs. */
  partnerOrders: z.array(z.record(z.string(), z.unknown())),
  cardOrders: z.array(z.record(z.string(), z.unknown())),
  /** Where push messages about the account go. */
  notifiedBrowsers: z.array(z.record(z.string(), z.unknown())),
});
export type AccountExport = z.infer<typeof accountExportSchema>;

import { count, type Values } from "./values.ts";

const DEFAULT_UNPAID_ORDERS = 500;

export const limitVariables = {
  RATE_LIMIT_READS: count().default(1200),
  RATE_LIMIT_WRITES: count().default(300),
  RATE_LIMIT_SIGN_INS: count().default(40),
  API_KEY_LIMIT_READS: count().default(1200),
  API_KEY_LIMIT_WRITES: count().default(300),
  FIXED_ORDERS_PER_CLIENT: count().default(50),
  UNPAID_ORDERS_PER_CLIENT: count().optional(),
  MAILS_PER_RECIPIENT: count().optional(),
  MAILS_PER_CLIENT: count().optional(),
};

/** How much one client may ask for. */
export type LimitsConfig = Readonly<{
  /** Calls per client and minute. */
  rateLimits: Readonly<{ reads: number; writes: number; signIns: number }>;
  /** Signed calls per API key and minute. */
  apiKeyLimits: Readonly<{ reads: number; writes: number }>;
  /** Unpaid fixed-rate orders that one client may have at a time. */
  fixedOrdersPerClient: number;
  /** Unpaid orders of any kind that one client may have at a time; null: any number. */
  unpaidOrdersPerClient: number | null;
  /** Mails about orders that nobody paid, a day; null: any number. */
  firstMails: Readonly<{ perRecipient: number; perClient: number }> | null;
}>;

export const limitsConfig = (
  value: Values<typeof limitVariables> & { SMTP_URL?: unknown },
  sandbox: boolean,
): LimitsConfig => ({
  rateLimits: Object.freeze({
    reads: value.RATE_LIMIT_READS,
    writes: value.RATE_LIMIT_WRITES,
    signIns: value.RATE_LIMIT_SIGN_INS,
  }),
  apiKeyLimits: Object.freeze({ reads: value.API_KEY_LIMIT_READS, writes: value.API_KEY_LIMIT_WRITES }),
  fixedOrdersPerClient: value.FIXED_ORDERS_PER_CLIENT,
  // A sandbox has one client, which tries it out.
  unpaidOrdersPerClient: value.UNPAID_ORDERS_PER_CLIENT ?? (sandbox ? null : DEFAULT_UNPAID_ORDERS),
  firstMails: firstMailLimits(value, sandbox),
});

/** A sandbox that sends no mail to anybody lists all of it. */
function firstMailLimits(
  value: Values<typeof limitVariables> & { SMTP_URL?: unknown },
  sandbox: boolean,
): LimitsConfig["firstMails"] {
  const { SMTP_URL: smtpUrl, MAILS_PER_RECIPIENT: perRecipient, MAILS_PER_CLIENT: perClient } = value;
  if (sandbox && smtpUrl === undefined && perRecipient === undefined && perClient === undefined) return null;
  return Object.freeze({ perRecipient: perRecipient ?? 5, perClient: perClient ?? 20 });
}

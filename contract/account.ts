import * as z from "zod/mini";

/** Telegram's launch data exactly as received: its hash is over these bytes. */
export const launchBodySchema = z.object({ initData: z.string() });

/** A bearer token of a Telegram session, valid for 24 hours; the app keeps it in memory only (contract §4). */
export const launchAnswerSchema = z.object({ accessToken: z.string(), userId: z.int() });

/** spec §3: null for an account that is not linked to an email. */
export const accountDataSchema = z.object({
  userId: z.int(),
  email: z.nullable(z.string()),
  permissions: z.string(),
  adminPermissionsScope: z.nullable(z.string()),
});
export type AccountData = z.infer<typeof accountDataSchema>;

export const logoutAnswerSchema = z.object({ isLoggedOut: z.literal(true) });

import * as z from "zod/mini";

/** The messenger's launch data as it came, never written anew: its hash is over the very bytes. */
export const launchBodySchema = z.object({ initData: z.string() });

/** A bearer token for a session of the messenger, good for 24 hours; the app keeps it in memory only (contract §4). */
export const launchAnswerSchema = z.object({ accessToken: z.string(), userId: z.int() });

/** spec §3: an email is what an account has outside the messenger. */
export const accountDataSchema = z.object({
  userId: z.int(),
  email: z.nullable(z.string()),
  permissions: z.string(),
  adminPermissionsScope: z.nullable(z.string()),
});
export type AccountData = z.infer<typeof accountDataSchema>;

export const logoutAnswerSchema = z.object({ isLoggedOut: z.literal(true) });

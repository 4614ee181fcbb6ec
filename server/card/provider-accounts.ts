import { sql } from "kysely";
import { CodedError } from "#contract/errors.ts";
import type { SignedIn } from "../base/routes.ts";
import { randomHex, sha256 } from "../base/secrets.ts";
import type { Database } from "../db/database.ts";
import { withProviderErrors } from "./provider-errors.ts";
import { requireOwnUser, signUpAtProvider } from "./provider-users.ts";
import { createPeopleLimits } from "./provider-limits.ts";
import { CardTokenError, type CardAccounts, type CardCaller, type CardProvider } from "./port.ts";
import { createAnswerCache } from "./answer-cache.ts";

/** How long a user's token of the provider is used; it is kept in memory alone. */
const PROVIDER_TOKEN_MS = 5 * 60_000;
const TOKEN_HOURS = 24;

/**
 * The provider's users, one for each account. Whoever signs in gets a token of ours: the provider's own never leaves the server, is in no
 * row and no log. Ours is stored as a digest and works for its account alone.
 */
export function createCardAccounts(database: Database, provider: CardProvider): CardAccounts {
  const tokens = createAnswerCache<string>(PROVIDER_TOKEN_MS);
  const ask = createPeopleLimits();

  const signedIn = (email: string): Promise<string> =>
    tokens(email, async () => {
      const token = await withProviderErrors(provider.signIn(email));
      if (token === null) throw new CodedError("ERR_NOT_FOUND", `This email is not registered with ${provider.name}`);
      return token;
    });

  /** Calls the provider as the account's user; a token that it no longer takes is replaced once. */
  const asUser = async <T>(
    { account, client }: CardCaller,
    ours: string,
    call: (token: string) => Promise<T>,
  ): Promise<T> => {
    const email = emailOf(account);
    await requireOwn(database, account.userId, ours);
    ask(account.userId, client);
    try {
      return await withProviderErrors(call(await signedIn(email)));
    } catch (error) {
      if (!(error instanceof CardTokenError)) throw error;
      tokens.forget(email);
      return withProviderErrors(call(await signedIn(email)));
    }
  };

  return {
    async signUp({ account, client }, email) {
      const own = { userId: account.userId, email: ownEmail(account, email) };
      ask(account.userId, client);
      if (!(await withProviderErrors(signUpAtProvider(database, provider, own))))
        throw new CodedError("ERR_USER_ALREADY_REGISTERED", `This email is registered with ${provider.name} already`);
    },
    async signIn({ account, client }, email) {
      const own = ownEmail(account, email);
      ask(account.userId, client);
      await signedIn(own);
      await requireOwnUser(database, provider, { userId: account.userId, email: own });
      const bearerToken = randomHex(32);
      await sql`insert into card_tokens (digest, user_id) values (${sha256(bearerToken)}, ${account.userId})`.execute(
        database.kysely,
      );
      return { bearerToken };
    },
    contacts: (by, token) => asUser(by, token, (own) => provider.contacts(own)),
    kycStatus: async (by, token) => ({
      features: [...(await asUser(by, token, (own) => provider.features(own)))],
    }),
    async accessToken(by, token, feature) {
      const found = await asUser(by, token, (own) => provider.accessToken(own, feature));
      return { kycAccessToken: found.token, applicantId: found.applicantId, verificationUrl: found.url };
    },
    async prune() {
      await sql`delete from card_tokens where created_at < now() - make_interval(hours => ${TOKEN_HOURS})`.execute(
        database.kysely,
      );
    },
  };
}

function emailOf({ email }: SignedIn): string {
  if (email !== null) return email;
  throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "The account needs an email for this");
}

function ownEmail(account: SignedIn, given: string | null): string {
  const own = emailOf(account);
  if (given === null || given.trim().toLowerCase() === own.toLowerCase()) return own;
  throw new CodedError("ERR_VALIDATION", "The request is not valid", { data: { email: "must be the account's own" } });
}

/** Another account's token and one that nobody has are refused alike. Never 401: that would end the session. */
async function requireOwn(database: Database, userId: bigint, token: string): Promise<void> {
  const { rows } = await sql`
    select 1 from card_tokens where digest = ${sha256(token)} and user_id = ${userId}
      and created_at > now() - make_interval(hours => ${TOKEN_HOURS})`.execute(database.kysely);
  if (rows.length === 0) throw new CodedError("ERR_FORBIDDEN", "Sign in with the card provider again");
}

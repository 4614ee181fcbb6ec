import { sql } from "kysely";
import type { CardDirection, CardState } from "#contract/card.ts";
import { randomHex } from "../../base/secrets.ts";
import type { Database } from "../../db/database.ts";

export type SandboxUser = {
  email: string;
  token: string;
  emailToken: string;
  isEmailConfirmed: boolean;
  kycStatus: "incomplete" | "under_review" | "complete" | "failed";
};
export type SandboxTransaction = {
  id: string;
  merchantId: string;
  direction: CardDirection;
  email: string;
  slug: string;
  fiat: string;
  coinAmount: bigint;
  fiatAmount: bigint;
  address: string;
  memo: string | null;
  state: CardState;
  initToken: string;
  returnUrl: string;
  txId: string | null;
};
type NewTransaction = Omit<SandboxTransaction, "id" | "initToken" | "state" | "txId">;

/** What the sandbox's card provider knows; every process of a database shares it. */
export type SandboxCardStore = ReturnType<typeof createSandboxCardStore>;

const USER = sql`email, token, email_token as "emailToken", is_email_confirmed as "isEmailConfirmed", kyc_status as "kycStatus"`;
const TRANSACTION = sql`id, merchant_id as "merchantId", direction, email, slug, fiat, coin_amount as "coinAmount",
  fiat_amount as "fiatAmount", address, memo, state, init_token as "initToken", return_url as "returnUrl", tx_id as "txId"`;

export function createSandboxCardStore({ kysely }: Database) {
  const user = async (by: ReturnType<typeof sql>): Promise<SandboxUser | null> =>
    (await sql<SandboxUser>`select ${USER} from sandbox_card_users where ${by}`.execute(kysely)).rows[0] ?? null;
  const transaction = async (by: ReturnType<typeof sql>): Promise<SandboxTransaction | null> =>
    (await sql<SandboxTransaction>`select ${TRANSACTION} from sandbox_card_transactions where ${by}`.execute(kysely))
      .rows[0] ?? null;
  return {
    /** Null where the email is registered. */
    async register(email: string): Promise<SandboxUser | null> {
      const { rows } = await sql<SandboxUser>`
        insert into sandbox_card_users (email, token, email_token) values (${email.toLowerCase()}, ${randomHex(24)}, ${randomHex(24)})
        on conflict (email) do nothing returning ${USER}`.execute(kysely);
      return rows[0] ?? null;
    },
    userByEmail: (email: string) => user(sql`email = ${email.toLowerCase()}`),
    userByToken: (token: string) => user(sql`token = ${token}`),
    userByEmailToken: (token: string) => user(sql`email_token = ${token}`),
    userByKycToken: (token: string) => user(sql`kyc_token = ${token}`),
    async confirmEmail(email: string): Promise<void> {
      await sql`update sandbox_card_users set is_email_confirmed = true where email = ${email}`.execute(kysely);
    },
    async beginKyc(email: string): Promise<string> {
      const token = randomHex(24);
      await sql`update sandbox_card_users set kyc_token = ${token} where email = ${email}`.execute(kysely);
      return token;
    },
    async endKyc(email: string, status: SandboxUser["kycStatus"]): Promise<void> {
      await sql`update sandbox_card_users set kyc_status = ${status} where email = ${email}`.execute(kysely);
    },
    /** The first of equal calls opens it; the others find it. */
    async open(given: NewTransaction): Promise<SandboxTransaction> {
      await sql`
        insert into sandbox_card_transactions
          (id, merchant_id, direction, email, slug, fiat, coin_amount, fiat_amount, address, memo, state, init_token, return_url)
        values (${randomHex(8)}, ${given.merchantId}, ${given.direction}, ${given.email}, ${given.slug}, ${given.fiat},
          ${given.coinAmount}, ${given.fiatAmount}, ${given.address}, ${given.memo}, 'opened', ${randomHex(24)}, ${given.returnUrl})
        on conflict (merchant_id) do nothing`.execute(kysely);
      const found = await transaction(sql`merchant_id = ${given.merchantId}`);
      if (found === null) throw new Error("a transaction was not opened");
      return found;
    },
    byMerchantId: (merchantId: string) => transaction(sql`merchant_id = ${merchantId}`),
    byInitToken: (token: string) => transaction(sql`init_token = ${token}`),
    /** Null where it has come that far already, or has ended. */
    async move(
      id: string,
      to: CardState,
      from: readonly CardState[],
      txId: string | null,
    ): Promise<SandboxTransaction | null> {
      const { rows } = await sql<SandboxTransaction>`
        update sandbox_card_transactions set state = ${to}, tx_id = coalesce(${txId}, tx_id), updated_at = now()
        where id = ${id} and state = any(${from}::text[]) returning ${TRANSACTION}`.execute(kysely);
      return rows[0] ?? null;
    },
  };
}

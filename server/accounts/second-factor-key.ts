import { createSecretsKey } from "./secrets-key.ts";

/** The key that secrets of second factors are encrypted with: SECOND_FACTOR_KEY, or one in the database. */
export const secondFactorKey = createSecretsKey({
  name: "second_factor_key",
  variable: "SECOND_FACTOR_KEY",
  title: "the secrets of second factors",
  command: "second-factor-key",
  async all(transaction) {
    const rows = await transaction.selectFrom("second_factors").select(["user_id", "secret"]).forUpdate().execute();
    return rows.map(({ user_id, secret }) => ({ id: user_id.toString(), secret }));
  },
  async store(transaction, id, secret) {
    await transaction.updateTable("second_factors").set({ secret }).where("user_id", "=", BigInt(id)).execute();
  },
});

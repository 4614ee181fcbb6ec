import { createSecretsKey } from "./secrets-key.ts";

/** The key that secrets of API keys are encrypted with, each for its own public key: API_KEYS_KEY, or one in the database. */
export const apiKeysKey = createSecretsKey({
  name: "api_keys_key",
  variable: "API_KEYS_KEY",
  title: "the secrets of API keys",
  command: "api-keys-key",
  async all(transaction) {
    const rows = await transaction.selectFrom("api_keys").select(["id", "public_key", "secret"]).forUpdate().execute();
    return rows.map(({ id, public_key: context, secret }) => ({ id, secret, context }));
  },
  async store(transaction, id, secret) {
    await transaction.updateTable("api_keys").set({ secret }).where("id", "=", id).execute();
  },
});

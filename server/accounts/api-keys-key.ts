import { createSecretsKey } from "./secrets-key.ts";

/** The key that secrets of API keys and of webhooks are encrypted with, each for its own public key or id: API_KEYS_KEY, or one in the database. */
export const apiKeysKey = createSecretsKey({
  name: "api_keys_key",
  variable: "API_KEYS_KEY",
  title: "the secrets of API keys",
  command: "api-keys-key",
  async all(transaction) {
    const rows = await transaction.selectFrom("api_keys").select(["id", "public_key", "secret"]).forUpdate().execute();
    const webhooks = await transaction.selectFrom("webhooks").select(["id", "secret"]).forUpdate().execute();
    return [
      ...rows.map(({ id, public_key: context, secret }) => ({ id, secret, context })),
      ...webhooks.map(({ id, secret }) => ({ id, secret, context: id })),
    ];
  },
  async store(transaction, id, secret) {
    // Both have ids of their own, unique over the two.
    await transaction.updateTable("api_keys").set({ secret }).where("id", "=", id).execute();
    await transaction.updateTable("webhooks").set({ secret }).where("id", "=", id).execute();
  },
});

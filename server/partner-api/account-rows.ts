import { type AccountRows, exportedRow } from "../db/account-rows.ts";

/** The webhooks of an account, without their secrets. */
export const webhookRows: AccountRows = {
  tables: {
    webhooks: { joined: "move", deleted: "delete", proved: "delete", exported: "webhooks", isSetting: true },
  },
  async exportRows(db, userId) {
    const webhooks = await db
      .selectFrom("webhooks")
      .select(["id", "url", "created_at as createdAt"])
      .where("user_id", "=", userId)
      .orderBy("created_at")
      .execute();
    return { webhooks: webhooks.map(exportedRow) };
  },
};

import { sql } from "kysely";
import type { AccountRows } from "../db/account-rows.ts";
import type { Verification } from "./port.ts";

/** The identity checks of an account. `exportOf` opens their forms. */
export const verificationRows = ({ exportOf }: Pick<Verification, "exportOf">): AccountRows => ({
  tables: {
    verifications: { joined: "own", deleted: "delete", proved: "delete", exported: "verifications", isSetting: true },
    verification_tries: {
      joined: "delete",
      deleted: "delete",
      proved: "delete",
      exported: { leftOut: "a counter of one day" },
    },
  },
  exportRows: async (_, userId) => ({ verifications: await exportOf(userId) }),
  async onJoined(transaction, { from, to }) {
    // One check of one person: the account's own stands where it has any.
    await sql`
      update verifications set user_id = ${to}
      where user_id = ${from} and not exists (select from verifications where user_id = ${to})`.execute(transaction);
    await transaction.deleteFrom("verifications").where("user_id", "=", from).execute();
  },
});

import { sql } from "kysely";
import { type AccountRows, exportedRow } from "../db/account-rows.ts";

/** Messages to an account, and the browsers that are notified for it. */
export const notificationRows: AccountRows = {
  tables: {
    outbox: {
      joined: "move",
      deleted: "delete",
      proved: "own",
      exported: { leftOut: "messages, which their person has" },
    },
  },
  async exportRows(db, userId) {
    const notifiedBrowsers = await db
      .selectFrom("push_subscriptions as s")
      .innerJoin("sessions", "sessions.id", "s.session_id")
      .select(["s.endpoint", "s.locale", "s.created_at as createdAt"])
      .where("sessions.user_id", "=", userId)
      .where("sessions.ended_at", "is", null)
      .orderBy("s.id")
      .execute();
    return { notifiedBrowsers: notifiedBrowsers.map(exportedRow) };
  },
  async onMailboxProved(transaction, userId) {
    // The bot and the browsers that they would reach are somebody else's.
    await sql`delete from outbox where user_id = ${userId} and channel <> 'mail' and state = 'pending'`.execute(
      transaction,
    );
  },
};

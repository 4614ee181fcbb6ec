import { inTransaction } from "../../../server/db/transaction.ts";
import { runDueJobs } from "../../../server/db/job-runner.ts";
import {
  abandonCardOrder,
  findById,
  findByMerchantId,
  intendCardOrder,
  markCardOrderOpen,
  markCardReview,
  scheduleCardOrder,
  takeOnce,
} from "../../../server/orders/card/store.ts";
import { createCardAccounts } from "../../../server/card/index.ts";
import type { CardProvider } from "../../../server/card/port.ts";
import type { SteadyEngine } from "./steady-engine.ts";

/** Asked by none of this: what is measured is the database. */
const NO_PROVIDER = {} as CardProvider;

/** What orders by card, their callbacks and the provider's users ask the database. */
export function cardWork({ database }: SteadyEngine): { name: string; run(): Promise<unknown> }[] {
  const { log } = database;
  const accounts = createCardAccounts(database, NO_PROVIDER);
  let made = 0;
  return [
    {
      name: "calls and loop: an order by card",
      run: async () => {
        made += 1;
        const orderId = `by card ${made}`;
        const merchantId = made.toString(16).padStart(32, "f");
        const user = await database.kysely
          .selectFrom("users")
          .select("id")
          .orderBy("id")
          .limit(1)
          .executeTakeFirstOrThrow();
        const intent = { orderId, userId: user.id, provider: "mercuryo", direction: "buy", merchantId } as const;
        await inTransaction(database, (transaction) => intendCardOrder(transaction, intent));
        await inTransaction(database, (transaction) =>
          markCardOrderOpen(transaction, { orderId, attempt: 1, askAfterSeconds: 0 }),
        );
        await runDueJobs(
          database,
          "card_orders",
          async (id) => {
            await inTransaction(database, async (transaction) => {
              await takeOnce(transaction, BigInt(id), merchantId);
              await markCardReview(transaction, BigInt(id), false);
              await scheduleCardOrder(transaction, BigInt(id), null);
            });
            await findById(database, BigInt(id));
          },
          log,
        );
        await findByMerchantId(database, `${merchantId}-1`);
        await abandonCardOrder(database, orderId);
      },
    },
    {
      name: "calls and loop: users of the card provider",
      run: async () => {
        const account = { userId: 0n, sessionId: "", email: "a@mail.example", isFresh: true };
        const client = { address: "192.0.2.1", network: null };
        await Promise.allSettled([accounts.contacts({ account, client }, "no token")]);
        await accounts.prune();
      },
    },
  ];
}

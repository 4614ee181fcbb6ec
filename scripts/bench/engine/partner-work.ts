import { randomBytes } from "node:crypto";
import { createAccounts } from "../../../server/accounts/index.ts";
import { inTransaction } from "../../../server/db/transaction.ts";
import { createUsedSignatures, enqueueWebhooks } from "../../../server/partner-api/index.ts";
import {
  leaseDeliveries,
  pruneDeliveries,
  recordDelivered,
  recordFailed,
  storeBody,
  untilNextDelivery,
} from "../../../server/partner-api/webhooks/store.ts";
import type { SteadyEngine } from "./steady-engine.ts";

const NO_ID = "00000000-0000-4000-8000-000000000000";

/** What signed calls and webhooks ask the database. */
export function partnerWork({ clock, database, engine }: SteadyEngine): { name: string; run(): Promise<unknown> }[] {
  const accounts = createAccounts({ database, clock, bot: null, areas: [] });
  let now = new Date();
  const used = createUsedSignatures(database, () => now);
  const everything = { from: null, to: null, state: null, externalId: null, after: null, limit: 20 };
  return [
    {
      name: "call: orders of a partner",
      run: async () => {
        await engine.orderService.partnerOrder(0n, "A".repeat(22));
        await engine.orderService.partnerOrders(0n, everything);
      },
    },
    {
      name: "loop: webhooks",
      run: async () => {
        await inTransaction(database, (transaction) => enqueueWebhooks(transaction, "A".repeat(22)));
        await leaseDeliveries(database, new Map(), 4);
        await untilNextDelivery(database);
        const leased = {
          n: 0n,
          id: NO_ID,
          webhook_id: NO_ID,
          user_id: 0n,
          url: "",
          secret: Buffer.alloc(0),
          order_id: "A".repeat(22),
          type: "order.updated" as const,
          body: null,
          attempts: 1,
          created_at: now,
          is_over: false,
        };
        await storeBody(database, leased, "{}");
        await recordDelivered(database, leased, 200);
        await recordFailed(database, leased, { status: 500, error: "answered 500" });
        await pruneDeliveries(database);
      },
    },
    {
      name: "call: a signature",
      run: async () => {
        await accounts.findApiKey("wk_none");
        await accounts.markApiKeyUsed({
          apiId: NO_ID,
          userId: 0n,
          secretKey: "",
          whiteListIp: "",
          lastUsedAt: null,
        });
        now = new Date(now.getTime() + 120_000);
        const key = { publicKey: "wk_none", whiteListIp: "", userId: 0n };
        await used.take(randomBytes(32).toString("base64"), now.getTime(), key);
      },
    },
  ];
}

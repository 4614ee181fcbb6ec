import { randomBytes } from "node:crypto";
import { createAccounts } from "../../../server/accounts/index.ts";
import { createUsedSignatures } from "../../../server/partners/index.ts";
import type { SteadyEngine } from "./steady-engine.ts";

/** What signed calls ask the database. */
export function partnerWork({ clock, database, engine }: SteadyEngine): { name: string; run(): Promise<unknown> }[] {
  const accounts = createAccounts({ database, clock, bot: null });
  let now = new Date();
  const used = createUsedSignatures(database, () => now);
  const everything = { from: null, to: null, state: null, externalId: null, before: null, limit: 20 };
  return [
    {
      name: "call: orders of a partner",
      run: async () => {
        await engine.orderService.partnerOrder(0n, "A".repeat(22));
        await engine.orderService.partnerOrders(0n, everything);
      },
    },
    {
      name: "call: a signature",
      run: async () => {
        await accounts.findApiKey("wk_none");
        await accounts.markApiKeyUsed({
          apiId: "00000000-0000-4000-8000-000000000000",
          userId: 0n,
          secretKey: "",
          whiteListIp: "",
          lastUsedAt: null,
        });
        now = new Date(now.getTime() + 120_000);
        await used.take(randomBytes(32).toString("base64"), now);
      },
    },
  ];
}

import { recogniseDeposits } from "../../../server/chains/follower/recognised-deposits.ts";
import { takeDepositIndexes } from "../../../server/db/backup/deposit-indexes.ts";
import { inTransaction } from "../../../server/db/transaction.ts";
import { createPayoutTimes } from "../../../server/orders/views/payout-times.ts";
import { requireAffordable } from "../../../server/treasury/payouts/limits/affordable.ts";
import { lockAccounts } from "../../../server/treasury/ledger/ledger.ts";
import { loadPayout, type PayoutRow } from "../../../server/treasury/payouts/store.ts";
import { isReplacementDue, postponeReplacement } from "../../../server/treasury/payouts/replacement/stuck.ts";
import { isCanonical } from "../../../server/chains/follower/index.ts";
import type { SteadyEngine } from "./steady-engine.ts";

/** What recurs too, but not at every turn over this chain: it needs another kind of network, or a coincidence. */
export function occasionalWork({
  chain,
  clock,
  catalogue,
  database,
}: SteadyEngine): { name: string; run(): Promise<unknown> }[] {
  const newestPayout = async (): Promise<PayoutRow> => {
    const { id } = await database.kysely
      .selectFrom("payouts")
      .select("id")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    const payout = await loadPayout(database, id);
    if (payout === null) throw new Error(`payment ${id} is gone`);
    return payout;
  };
  const replacement = (network: string) => {
    const terms = catalogue.networks.get(network);
    if (terms === undefined) throw new Error(`${network} is not in the catalogue`);
    return terms;
  };
  const payoutTimes = createPayoutTimes({ database, catalogue, log: database.log, onChange: () => undefined });
  return [
    { name: "call: how long payouts take", run: () => payoutTimes.refresh() },
    { name: "call: deposit indexes", run: () => takeDepositIndexes(database, "bench", 1) },
    {
      name: "loop: follower, a deposit with a memo",
      run: () => {
        const transfer = { txId: "t", outputIndex: 0, toAddress: "shared", memo: "1", slug: "xrp", amount: 1n };
        const seen = { at: clock.now(), minDeposit: () => null };
        return inTransaction(database, (transaction) => recogniseDeposits(transaction, "XRP", [transfer], seen));
      },
    },
    {
      name: "ledger: the first transfer of an instrument",
      run: () => inTransaction(database, (transaction) => lockAccounts(transaction, [`bench-${performance.now()}`])),
    },
    {
      name: "before a signature: what the hot wallet can pay",
      run: async () => {
        chain.showsMinedOnly = true;
        await requireAffordable(database, chain, await newestPayout(), { cost: 1n, feeSlug: "eth" });
        chain.showsMinedOnly = false;
      },
    },
    {
      name: "a payment in a block that is not on the tail",
      run: () => isCanonical(database, "ETH", { height: -1, hash: "old" }),
    },
    {
      name: "a payment that may be stuck",
      run: async () => {
        const payout = await newestPayout();
        await isReplacementDue({ database, replacement }, payout);
        await postponeReplacement({ database, replacement }, payout);
      },
    },
  ];
}

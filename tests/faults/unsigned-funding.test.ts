import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RecentPayment } from "../../server/chains/port.ts";
import { runExchangeCommand } from "../../server/liquidity/operator.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { retryPayout } from "../../server/treasury/operator/payouts.ts";
import { RestoredPartner } from "../support/scenarios/restored-partner.ts";
import { whileSigning } from "../support/scenarios/while-signing.ts";

const PAY_ETH = { action: "pay", scope: "ETH", direction: "both" } as const;

let given: RestoredPartner;
beforeEach(async () => {
  given = await RestoredPartner.open();
});
afterEach(() => given.close());

/** Longer than an exchange may stay unpaid. */
const hourPasses = () =>
  given.database.pool.query("update partner_exchanges set opened_at = opened_at - interval '2 hours'");
function expireAtPartner(): void {
  for (const exchange of given.scenario.changeNow.exchanges) exchange.status = "expired";
}
/** No other partner quotes: the treasury pays. */
async function isFilledByTreasury(): Promise<void> {
  await given.pass(20);
  expect(await given.status()).toBe("WITHDRAWAL_COMPLETED");
  expect(given.delivered()).toHaveLength(1);
  expect(given.scenario.payments()).toMatchObject([{ partner: "changenow", paid: [] }]);
  const { rows } = await given.database.pool.query("select state from partner_exchanges");
  expect(rows).toEqual([{ state: "abandoned" }]);
  expect(await listHeld(given.own)).toEqual([]);
}

describe("an exchange at a partner whose payment gave its nonce back unsigned is abandoned, and its order goes on", () => {
  it("where the network was stopped while it was signed, and the exchange expired meanwhile", async () => {
    whileSigning(given.scenario.chain, "changenow-1", () =>
      given.engine.switches.stop({ ...PAY_ETH, reason: "a check" }),
    );
    await given.order();
    await given.pass(4);
    expireAtPartner();
    await given.pass(4);
    await given.engine.switches.release(PAY_ETH);
    await isFilledByTreasury();
  });

  it("where a process died between its nonce and its signature, and the network was stopped for an hour", async () => {
    await given.order();
    await given.pass(3);
    await given.engine.switches.stop({ ...PAY_ETH, reason: "a check" });
    await given.pass(1);
    await given.database.pool.query(
      `insert into payout_handles (network, key, payout_id, data) select network, 'hot:0', id, '{"nonce":0}' from payouts where purpose = 'funding'`,
    );
    await given.pass(1);
    await hourPasses();
    await given.engine.switches.release(PAY_ETH);
    await isFilledByTreasury();
  });

  it("where its booked transaction was dropped and unbooked, and the partner awaited a return meanwhile", async () => {
    const { chain } = given.scenario;
    const recentPayments = async (): Promise<RecentPayment[]> =>
      chain.pending.flatMap(({ txId, from, nonce, transfers }) => {
        const pays = transfers.map(({ toAddress, slug, amount }) => ({ to: toAddress, slug, amount }));
        return from === "hot" ? [{ txId, height: null, key: `hot:${nonce}`, data: { nonce }, pays }] : [];
      });
    Object.assign(chain, { recentPayments });
    await given.order();
    await given.pass(1);
    const broadcast = chain.broadcast.bind(chain);
    chain.broadcast = (prepared) => {
      chain.marketFee *= 2n;
      chain.broadcast = broadcast;
      return broadcast(prepared);
    };
    await given.restoredAfter(() => given.pass(6));
    const txId = await given.unknown();
    const partnerId = given.scenario.changeNow.exchanges[0]?.id;
    const adopt = `exchange adopt 1 ${txId} ${partnerId} it was --as ann`.split(" ");
    await runExchangeCommand(given.own, adopt, given.scenario.adapters());
    expireAtPartner();
    await given.pass(2);
    chain.evict(txId);
    chain.marketFee /= 2n;
    await given.pass(2);
    await given.database.pool.query("update payouts set replace_at = 'epoch' where replace_at is not null");
    await given.pass(2);
    await given.recovery(`unknown-payment unbook ETH ${txId} gone --as ann`);
    await given.recovery(`unknown-payment dismiss ETH ${txId} gone --as ann --pays-again --adjusted --gone`);
    await hourPasses();
    await isFilledByTreasury();
  });
});

it("an exchange whose payment was refused, and dead by an empty one, is abandoned once an operator has it tried again", async () => {
  const { chain } = given.scenario;
  chain.refuses = true;
  await given.order();
  await given.pass(14);
  chain.refuses = false;
  await hourPasses();
  await given.pass(4);
  const { rows } = await given.database.pool.query(
    "select a.status, e.state from payout_attempts a, partner_exchanges e",
  );
  expect(rows).toEqual([{ status: "dead", state: "opened" }]);
  expect(await listHeld(given.own)).toMatchObject([{ subject: "payout 2", reason: "broadcast_refused" }]);
  await retryPayout(given.own, { name: "ann", reason: "it never left" }, 2n);
  await isFilledByTreasury();
});

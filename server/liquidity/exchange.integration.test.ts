import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { PartnerScenario, SENT_WEI } from "../../tests/support/partners/partner-scenario.ts";
import { archiveFinishedOrders } from "../orders/archive/archive-orders.ts";
import { runHeldCommand } from "../treasury/operator/held-commands.ts";
import { runRecoveryCommand } from "../treasury/operator/recovery-commands.ts";

const TOKEN = "usdt-erc20";
const FINAL = 8;

// Each runs a whole order, some of them two exchanges of it.
vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let scenario: PartnerScenario;

beforeEach(async () => {
  database = await freshDatabase();
  scenario = await new PartnerScenario(database).start();
});
afterEach(async () => {
  await scenario.stop();
  await database.drop();
});

const exchanges = () => database.kysely.selectFrom("partner_exchanges").selectAll().orderBy("id").execute();
const kinds = async () => {
  const events = await database.kysely.selectFrom("order_events").select("kind").orderBy("seq").execute();
  return events.map(({ kind }) => kind).slice(2);
};
const balances = async () => {
  const rows = await database.kysely.selectFrom("ledger_accounts").select(["name", "slug", "balance"]).execute();
  return Object.fromEntries(rows.map(({ name, slug, balance }) => [`${name} ${slug}`, balance]));
};

describe("an order that a partner fills", () => {
  it("pays the partner once and ends with what the partner delivered", async () => {
    await scenario.begin();
    expect(await scenario.live()).toBeNull();
    expect(await scenario.violations()).toEqual([]);
    expect(await kinds()).toEqual(["INCOMING_FUNDS_DETECTED", "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"]);
    const [row] = await exchanges();
    const delivered = scenario.chain.received(scenario.destination, TOKEN);
    expect(row).toMatchObject({
      state: "finished",
      partner: "changenow",
      partner_id: "exchange1",
      delivered: delivered[0],
    });
    expect(scenario.changeNow.exchanges).toMatchObject([
      { clientId: row?.client_id, refund: { address: row?.refund_address } },
    ]);
    expect(scenario.sideShift.exchanges).toEqual([]);
  });

  it("leaves a ledger that says who has what", async () => {
    await scenario.begin();
    await scenario.live();
    const [row] = await exchanges();
    const funding = row?.amount ?? 0n;
    expect(await balances()).toMatchObject({
      "customers eth": 0n,
      "partners eth": 0n,
      "deposits eth": -SENT_WEI,
      "revenue eth": SENT_WEI - funding,
    });
  });

  it("is quoted by the partner's name in its terms", async () => {
    await scenario.begin();
    const row = await database.kysely.selectFrom("orders").select("snapshot").executeTakeFirstOrThrow();
    expect(row.snapshot).toMatchObject({ terms: { provider: "changenow" } });
  });
});

describe("an order that a partner has filled", () => {
  /** As after many later orders; the chain of this scenario spends deposits where they lie. */
  const archive = async () => {
    await sql`update completed_orders set counted_until = 'infinity'`.execute(database.kysely);
    await sql`update payout_handles set data = '{}'`.execute(database.kysely);
    await sql`insert into orders select n.* from orders o, generate_series(1, 20) i, jsonb_populate_record(null::orders, to_jsonb(o) ||
      jsonb_build_object('id', repeat('n', 20) || lpad(i::text, 4, '0'), 'reference', 'newer-' || i,
        'completed_at', o.completed_at + interval '1 day', 'created_at', now() + interval '2 days')) n`.execute(
      database.kysely,
    );
    return archiveFinishedOrders(database, { before: new Date(Date.now() + 86_400_000), spendsDeposits: ["ETH"] });
  };
  const page = async () => {
    const { database: own, testEngine } = scenario.process();
    const seen = await (await testEngine).engine.orderService.info(scenario.orderId, scenario.destination);
    await own.close();
    return seen;
  };

  it("is archived with its exchange, shows the same page, and comes back when its exchange is paid back late", async () => {
    await scenario.begin();
    await scenario.live();
    const [before, [row]] = [await page(), await exchanges()];
    expect((await archive()).archived).toBe(1);
    expect(await exchanges()).toEqual([]);
    expect(await page()).toEqual(before);
    scenario.chain.deposit(row?.refund_address ?? "", "eth", 10n ** 15n);
    const { database: own, testEngine } = scenario.process();
    await scenario.pass(await testEngine, own, 6);
    await own.close();
    expect(await exchanges()).toMatchObject([{ id: row?.id, state: "finished", partner_id: row?.partner_id }]);
    expect(await balances()).toMatchObject({ "deposits eth": -SENT_WEI - 10n ** 15n });
    expect((await page()).withdrawals).toEqual(before.withdrawals);
  });

  it("pays the partner again by a command, where a transaction made elsewhere took the place of the payment", async () => {
    const { chain } = scenario;
    await scenario.begin();
    const { database: own, testEngine } = scenario.process();
    const it = await testEngine;
    const parts = { database, catalogue: it.catalogue, isRegtest: true };
    const funding = () =>
      database.kysely
        .selectFrom("payouts")
        .select(["id", "state", "review_reason", "mined_height"])
        .where("purpose", "=", "funding")
        .executeTakeFirstOrThrow();
    const orderState = async () =>
      (await database.kysely.selectFrom("orders").select("state").executeTakeFirstOrThrow()).state;
    for (let block = 0; block < 20 && (await orderState()) !== "completed"; block += 1) await scenario.pass(it, own, 1);
    const [row] = await exchanges();
    expect(row).toMatchObject({ state: "finished" });

    const undone = chain.tip.height - ((await funding()).mined_height ?? 0) + 1;
    const delivery = chain.blocks
      .slice(-undone)
      .flatMap((block) => block.transactions.filter((one) => one.from === "outside"));
    chain.reorg(undone);
    chain.pending.push(...delivery);
    const foreign = chain.spendOutside([{ outputIndex: -1, toAddress: "elsewhere", slug: "eth", amount: 7n }]);
    chain.mine();
    await scenario.pass(it, own, 1);
    await runRecoveryCommand(
      database,
      it.catalogue,
      `unknown-payment dismiss ETH ${foreign} by hand --as ann`.split(" "),
    );
    await scenario.pass(it, own, FINAL + 2);
    expect(await funding()).toMatchObject({ state: "review", review_reason: "replaced_on_chain" });
    expect(chain.received(row?.deposit_address ?? "", "eth")).toEqual([]);

    await runHeldCommand(parts, `payout retry ${(await funding()).id} it is owed --as ann`.split(" "));
    await scenario.pass(it, own, FINAL + 2);
    await own.close();
    expect(await funding()).toMatchObject({ state: "final" });
    expect(chain.received(row?.deposit_address ?? "", "eth")).toEqual([row?.amount]);
    expect(await scenario.violations()).toEqual([]);
  });

  it("keeps its id at the partner to itself when it is archived", async () => {
    await scenario.begin();
    await scenario.live();
    const [row] = await exchanges();
    await archive();
    scenario.changeNow.exchanges.splice(0);
    await scenario.begin();
    await scenario.live();
    expect(scenario.chain.received(row?.deposit_address ?? "", "eth")).toHaveLength(1);
    expect((await exchanges()).filter(({ partner_id }) => partner_id === row?.partner_id)).toEqual([]);
  });
});

describe("an opening whose answer is lost", () => {
  it("is found again at a partner with a look-up, and no second one is opened", async () => {
    await scenario.begin();
    scenario.changeNow.faults.push({ path: /^POST exchange$/, fault: "lost-reply" });
    await scenario.live();
    expect(await scenario.violations()).toEqual([]);
    expect(scenario.changeNow.exchanges).toHaveLength(1);
  });

  it("leaves an exchange behind that is never paid at a partner without one", async () => {
    scenario.rates.provider = "sideshift";
    scenario.quote("sideshift", 2990n);
    await scenario.begin();
    scenario.sideShift.faults.push({ path: /^POST shifts/, fault: "lost-reply" });
    await scenario.live();
    expect(await scenario.violations()).toEqual([]);
    expect(scenario.payments().map(({ partnerId, paid }) => [partnerId, paid.length])).toEqual([
      ["exchange1", 0],
      ["exchange2", 1],
    ]);
  });

  it("is abandoned unpaid when a partner never answers, and the treasury pays", async () => {
    scenario.timeoutMs = 100;
    await scenario.begin();
    for (let time = 0; time < 20; time += 1) scenario.changeNow.faults.push({ path: /^POST exchange$/, fault: "500" });
    await scenario.live();
    expect(await scenario.violations()).toEqual([]);
    expect(await exchanges()).toMatchObject([{ state: "abandoned", openings: 5, reason: "no opening was answered" }]);
    expect(await kinds()).toEqual([
      "INCOMING_FUNDS_DETECTED",
      "FUNDS_WITHDRAWAL_START",
      "PROVIDER_FAILED",
      "PROVIDER_CHANGED",
      "WITHDRAWAL_COMPLETED",
    ]);
  });
});

describe("a partner that does not fill an order", () => {
  it.each(["changenow", "sideshift"] as const)(
    "%s refunds the exchange, and the treasury pays instead",
    async (partner) => {
      scenario.rates.provider = partner;
      scenario.rates.partners.clear();
      scenario.quote(partner, 2990n);
      scenario.partners[partner].behaviour = "returns";
      await scenario.begin();
      await scenario.live();
      expect(await scenario.violations()).toEqual([]);
      const [row] = await exchanges();
      expect(row).toMatchObject({ state: "returned", returned: (row?.amount ?? 0n) - 10n ** 15n });
      expect(await balances()).toMatchObject({ "customers eth": 0n, "partners eth": 0n, [`customers ${TOKEN}`]: 0n });
    },
  );

  it("is refunded, and the next partner fills the order where it beats our own quote", async () => {
    scenario.partners.changenow.behaviour = "returns";
    scenario.quote("sideshift", 3005n);
    Object.assign(scenario.sideShift, { rate: "3005" });
    await scenario.begin();
    await scenario.live();
    expect(await scenario.violations()).toEqual([]);
    expect((await exchanges()).map(({ partner, state }) => [partner, state])).toEqual([
      ["changenow", "returned"],
      ["sideshift", "finished"],
    ]);
  });

  it("counts as refunded only once the chain shows it", async () => {
    scenario.partners.changenow.behaviour = "stalls";
    await scenario.begin();
    const { database: own, testEngine } = scenario.process();
    const it = await testEngine;
    await scenario.pass(it, own, 8);
    for (const held of scenario.changeNow.exchanges) held.status = "refunded";
    await scenario.pass(it, own, 4);
    expect(await exchanges()).toMatchObject([{ state: "returning" }]);
    expect(scenario.chain.received(scenario.destination, TOKEN)).toEqual([]);
    const [held] = scenario.changeNow.exchanges;
    scenario.chain.deposit(held?.refund.address ?? "", "eth", 495n * 10n ** 15n);
    await own.close();
    await scenario.live();
    expect(await scenario.violations()).toEqual([]);
    expect(await exchanges()).toMatchObject([{ state: "returned" }]);
  });

  it("may finish after all while a return is awaited", async () => {
    scenario.partners.changenow.behaviour = "stalls";
    await scenario.begin();
    const { database: own, testEngine } = scenario.process();
    await scenario.pass(await testEngine, own, 8);
    for (const held of scenario.changeNow.exchanges) held.status = "expired";
    await scenario.pass(await testEngine, own, 2);
    expect(await exchanges()).toMatchObject([{ state: "returning" }]);
    scenario.partners.changenow.behaviour = "delivers";
    await own.close();
    await scenario.live();
    expect(await scenario.violations()).toEqual([]);
    expect(await exchanges()).toMatchObject([{ state: "finished" }]);
  });

  it("keeps half: the exchange goes into review and nothing more is paid", async () => {
    scenario.partners.changenow.behaviour = "returns_half";
    await scenario.begin();
    const { database: own, testEngine } = scenario.process();
    await scenario.pass(await testEngine, own, 14);
    await own.close();
    expect(await exchanges()).toMatchObject([{ state: "review", reason: "short_return" }]);
    expect(scenario.chain.received(scenario.destination, TOKEN)).toEqual([]);
  });

  it("reports another transaction as the payout: the exchange goes into review and the order is not completed", async () => {
    scenario.partners.changenow.behaviour = "lies";
    await scenario.begin();
    const { database: own, testEngine } = scenario.process();
    await scenario.pass(await testEngine, own, 12);
    await own.close();
    expect(await exchanges()).toMatchObject([{ state: "review" }]);
    expect(await kinds()).not.toContain("WITHDRAWAL_COMPLETED");
  });

  it("refuses, or opens something else than requested: nothing is paid to it", async () => {
    for (const mismatch of [{ max: "0.1" }, { addressPrefix: "no address!" }]) {
      const own = await freshDatabase();
      const other = await new PartnerScenario(own).start();
      Object.assign(other.changeNow, mismatch);
      await other.begin();
      await other.live();
      expect(await other.violations()).toEqual([]);
      expect(other.payments().flatMap(({ paid }) => paid)).toEqual([]);
      await other.stop();
      await own.drop();
    }
  });
});

describe("an order that no provider fills", () => {
  it("waits, and the customer may request a refund", async () => {
    scenario.partners.changenow.behaviour = "returns";
    await scenario.begin();
    const { database: own, testEngine } = scenario.process();
    const it = await testEngine;
    await scenario.pass(it, own, 7);
    scenario.rates.partners.clear();
    scenario.rates.prices.delete(TOKEN);
    await scenario.pass(it, own, 8);
    const stored = await database.kysely.selectFrom("orders").select("state").executeTakeFirstOrThrow();
    expect(stored.state).toBe("rerouting");
    const { orderService } = it.engine;
    const quoted = await orderService.refundInfo(scenario.orderId);
    await orderService.requestRefund({
      orderId: scenario.orderId,
      destinationAddress: scenario.destination,
      refundAddress: "back",
      refundAmount: quoted.refundAmountWithoutNetworkFee,
      claimedNetworkFee: quoted.networkFee,
    });
    scenario.rates.prices.set(TOKEN, 10n ** 18n);
    await own.close();
    await scenario.live();
    expect(await scenario.violations()).toEqual([]);
    expect(scenario.chain.received("back", "eth")).toEqual([SENT_WEI - scenario.rates.fee]);
    expect(await balances()).toMatchObject({ "customers eth": 0n, "partners eth": 0n });
  });
});

describe("the checkers", () => {
  it("notice a second exchange that is paid, and one that no row knows", async () => {
    await scenario.begin();
    await scenario.live();
    expect(await scenario.violations()).toEqual([]);
    const [row] = await exchanges();
    const second = scenario.changeNow.hold({
      clientId: null,
      destination: { address: scenario.destination, memo: null },
      refund: { address: "elsewhere", memo: null },
      amount: "0.4",
      status: "finished",
    });
    scenario.chain.deposit(second.deposit.address, "eth", row?.amount ?? 1n);
    scenario.chain.mine();
    expect(await scenario.violations()).toEqual([expect.stringContaining("which no row knows")]);
    // The index that forbids it is dropped.
    await database.pool.query("drop index partner_exchanges_live");
    await database.pool.query(
      `insert into partner_exchanges (order_id, n, client_id, partner, from_slug, to_slug, amount, expected, to_address, state,
        partner_id, deposit_address, created_at, payout_tx_id, delivered)
       select order_id, 2, 'second', partner, from_slug, to_slug, amount, expected, to_address, state, $1, $2, created_at,
        payout_tx_id, delivered from partner_exchanges`,
      [second.id, second.deposit.address],
    );
    expect(await scenario.violations()).toEqual([expect.stringContaining("has 2 exchanges that were paid")]);
  });

  it("rely on the database, which refuses a second live exchange and a second payment to one", async () => {
    await scenario.begin();
    await scenario.live();
    await expect(
      database.pool.query(
        `insert into partner_exchanges (order_id, n, client_id, partner, from_slug, to_slug, amount, expected, to_address, state, created_at)
         select order_id, 2, 'second', partner, from_slug, to_slug, amount, expected, to_address, 'intended', created_at from partner_exchanges`,
      ),
    ).rejects.toThrow("partner_exchanges_live");
    await expect(
      database.pool.query(
        `insert into payouts (exchange_id, purpose, network, slug, to_address, amount, state, created_at)
         select exchange_id, purpose, network, slug, to_address, amount, 'intended', created_at from payouts where exchange_id is not null`,
      ),
    ).rejects.toThrow("payouts_exchange_id_key");
  });
});

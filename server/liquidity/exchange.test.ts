import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database.ts";
import { PartnerLife, SENT_WEI } from "../../tests/support/partners/partner-life.ts";

const TOKEN = "usdt-erc20";

// Each lives a whole order, some of them two exchanges of it.
vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let life: PartnerLife;

beforeEach(async () => {
  database = await freshDatabase();
  life = await new PartnerLife(database.url).start();
});
afterEach(async () => {
  await life.stop();
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
    await life.begin();
    expect(await life.live()).toBeNull();
    expect(await life.violations()).toEqual([]);
    expect(await kinds()).toEqual(["INCOMING_FUNDS_DETECTED", "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"]);
    const [row] = await exchanges();
    const delivered = life.chain.received(life.destination, TOKEN);
    expect(row).toMatchObject({
      state: "finished",
      partner: "changenow",
      partner_id: "exchange1",
      delivered: delivered[0],
    });
    expect(life.changeNow.exchanges).toMatchObject([
      { clientId: row?.client_id, refund: { address: row?.refund_address } },
    ]);
    expect(life.sideShift.exchanges).toEqual([]);
  });

  it("leaves books that say who has what", async () => {
    await life.begin();
    await life.live();
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
    await life.begin();
    const row = await database.kysely.selectFrom("orders").select("snapshot").executeTakeFirstOrThrow();
    expect(row.snapshot).toMatchObject({ terms: { provider: "changenow" } });
  });
});

describe("an opening whose answer is lost", () => {
  it("is found again at a partner that can be asked, and no second one is opened", async () => {
    await life.begin();
    life.changeNow.faults.push({ path: /^POST exchange$/, fault: "lost-reply" });
    await life.live();
    expect(await life.violations()).toEqual([]);
    expect(life.changeNow.exchanges).toHaveLength(1);
  });

  it("leaves one behind that is never paid at a partner that can't", async () => {
    life.rates.provider = "sideshift";
    life.quote("sideshift", 2990n);
    await life.begin();
    life.sideShift.faults.push({ path: /^POST shifts/, fault: "lost-reply" });
    await life.live();
    expect(await life.violations()).toEqual([]);
    expect(life.payments().map(({ partnerId, paid }) => [partnerId, paid.length])).toEqual([
      ["exchange1", 0],
      ["exchange2", 1],
    ]);
  });

  it("is given up unpaid when a partner never answers, and the house pays", async () => {
    life.timeoutMs = 100;
    await life.begin();
    for (let time = 0; time < 20; time += 1) life.changeNow.faults.push({ path: /^POST exchange$/, fault: "500" });
    await life.live();
    expect(await life.violations()).toEqual([]);
    expect(await exchanges()).toMatchObject([{ state: "abandoned", openings: 5, reason: "no answer to any opening" }]);
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
  it.each(["changenow", "sideshift"] as const)("%s pays back, and the house pays instead", async (partner) => {
    life.rates.provider = partner;
    life.rates.partners.clear();
    life.quote(partner, 2990n);
    life.partners[partner].conduct = "returns";
    await life.begin();
    await life.live();
    expect(await life.violations()).toEqual([]);
    const [row] = await exchanges();
    expect(row).toMatchObject({ state: "returned", returned: (row?.amount ?? 0n) - 10n ** 15n });
    expect(await balances()).toMatchObject({ "customers eth": 0n, "partners eth": 0n, [`customers ${TOKEN}`]: 0n });
  });

  it("pays back, and the next partner fills it where it is better than the house", async () => {
    life.partners.changenow.conduct = "returns";
    life.quote("sideshift", 3005n);
    Object.assign(life.sideShift, { rate: "3005" });
    await life.begin();
    await life.live();
    expect(await life.violations()).toEqual([]);
    expect((await exchanges()).map(({ partner, state }) => [partner, state])).toEqual([
      ["changenow", "returned"],
      ["sideshift", "finished"],
    ]);
  });

  it("is not believed to have paid back before the chain shows it", async () => {
    life.partners.changenow.conduct = "stalls";
    await life.begin();
    const { database: own, world } = life.process(null);
    const it = await world;
    await life.pass(it, own, 8);
    for (const held of life.changeNow.exchanges) held.status = "refunded";
    await life.pass(it, own, 4);
    expect(await exchanges()).toMatchObject([{ state: "returning" }]);
    expect(life.chain.received(life.destination, TOKEN)).toEqual([]);
    const [held] = life.changeNow.exchanges;
    life.chain.deposit(held?.refund.address ?? "", "eth", 495n * 10n ** 15n);
    await own.close();
    await life.live();
    expect(await life.violations()).toEqual([]);
    expect(await exchanges()).toMatchObject([{ state: "returned" }]);
  });

  it("may finish after all while a return is awaited", async () => {
    life.partners.changenow.conduct = "stalls";
    await life.begin();
    const { database: own, world } = life.process(null);
    await life.pass(await world, own, 8);
    for (const held of life.changeNow.exchanges) held.status = "expired";
    await life.pass(await world, own, 2);
    expect(await exchanges()).toMatchObject([{ state: "returning" }]);
    life.partners.changenow.conduct = "delivers";
    await own.close();
    await life.live();
    expect(await life.violations()).toEqual([]);
    expect(await exchanges()).toMatchObject([{ state: "finished" }]);
  });

  it("keeps half: the order is held for an operator and nothing more is paid", async () => {
    life.partners.changenow.conduct = "returns_half";
    await life.begin();
    const { database: own, world } = life.process(null);
    await life.pass(await world, own, 14);
    await own.close();
    expect(await exchanges()).toMatchObject([{ state: "review", reason: "short_return" }]);
    expect(life.chain.received(life.destination, TOKEN)).toEqual([]);
  });

  it("claims somebody else's transaction: the order is held and not completed", async () => {
    life.partners.changenow.conduct = "lies";
    await life.begin();
    const { database: own, world } = life.process(null);
    await life.pass(await world, own, 12);
    await own.close();
    expect(await exchanges()).toMatchObject([{ state: "review" }]);
    expect(await kinds()).not.toContain("WITHDRAWAL_COMPLETED");
  });

  it("refuses, or opens something else than was asked: nothing is paid to it", async () => {
    for (const misfit of [{ max: "0.1" }, { addressPrefix: "no address!" }]) {
      const own = await freshDatabase();
      const other = await new PartnerLife(own.url).start();
      Object.assign(other.changeNow, misfit);
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
  it("waits, and its owner may have the deposit back", async () => {
    life.partners.changenow.conduct = "returns";
    await life.begin();
    const { database: own, world } = life.process(null);
    const it = await world;
    await life.pass(it, own, 7);
    life.rates.partners.clear();
    life.rates.prices.delete(TOKEN);
    await life.pass(it, own, 8);
    const stored = await database.kysely.selectFrom("orders").select("state").executeTakeFirstOrThrow();
    expect(stored.state).toBe("rerouting");
    const { orderService } = it.engine;
    const shown = await orderService.refundInfo(life.orderId);
    await orderService.requestRefund({
      orderId: life.orderId,
      destinationAddress: life.destination,
      refundAddress: "back",
      refundAmount: shown.refundAmountWithoutNetworkFee,
      claimedNetworkFee: shown.networkFee,
    });
    life.rates.prices.set(TOKEN, 10n ** 18n);
    await own.close();
    await life.live();
    expect(await life.violations()).toEqual([]);
    expect(life.chain.received("back", "eth")).toEqual([SENT_WEI - life.rates.fee]);
    expect(await balances()).toMatchObject({ "customers eth": 0n, "partners eth": 0n });
  });
});

describe("the checkers", () => {
  it("notice a second exchange that is paid, and one that no row knows", async () => {
    await life.begin();
    await life.live();
    expect(await life.violations()).toEqual([]);
    const [row] = await exchanges();
    const second = life.changeNow.hold({
      clientId: null,
      destination: { address: life.destination, memo: null },
      refund: { address: "elsewhere", memo: null },
      amount: "0.4",
      status: "finished",
    });
    life.chain.deposit(second.deposit.address, "eth", row?.amount ?? 1n);
    life.chain.mine();
    expect(await life.violations()).toEqual([expect.stringContaining("which no row knows")]);
    // The index that forbids it is taken away.
    await database.pool.query("drop index partner_exchanges_live");
    await database.pool.query(
      `insert into partner_exchanges (order_id, n, client_id, partner, from_slug, to_slug, amount, expected, to_address, state,
        partner_id, deposit_address, created_at, payout_tx_id, delivered)
       select order_id, 2, 'second', partner, from_slug, to_slug, amount, expected, to_address, state, $1, $2, created_at,
        payout_tx_id, delivered from partner_exchanges`,
      [second.id, second.deposit.address],
    );
    expect(await life.violations()).toEqual([expect.stringContaining("has 2 exchanges that were paid")]);
  });

  it("rely on the database, which refuses a second live exchange and a second payment to one", async () => {
    await life.begin();
    await life.live();
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

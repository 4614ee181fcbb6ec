import { afterEach, beforeEach, expect, it } from "vitest";
import { loadCatalogue } from "../../server/catalogue/index.ts";
import { PaymentRefusedError } from "../../server/chains/port.ts";
import { type Database, openDatabase } from "../../server/db/database.ts";
import type { LiquidityPartner, PartnerStatus } from "../../server/liquidity/port.ts";
import { offerKey } from "../../server/rates/quote.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { confirmPayout, releasePayout, retryPayout } from "../../server/treasury/operator/payouts.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { timePasses } from "../support/scenarios/dying-process.ts";
import { createTestEngine, orderBody, StillRates, type TestEngine } from "../support/scenarios/test-engine.ts";

const LTC = { currencyTitle: "LTC", networkTitle: "LTC", slug: "ltc" };
const HALF_ETH = 5n * 10n ** 17n;
/** Takes the deposit away, whatever confirmations it had. */
const BEYOND = 6;
const PAY_ETH = { action: "pay", scope: "ETH", direction: "both" } as const;
const by = (name: string) => ({ name, reason: "its deposit was looked for" });

let database: TestDatabase;
let own: Database;
let ether: FakeChain;
let litecoin: FakeChain;
let rates: StillRates;
let engine: TestEngine;
let exchange: PartnerStatus;

beforeEach(async () => {
  database = await freshDatabase();
  own = openDatabase(database.url, { max: 4, log: database.log, applicationName: "the worker" });
  ether = new FakeChain();
  litecoin = new FakeChain("LTC", "ltc");
  for (const chain of [ether, litecoin]) chain.mine(2);
  rates = new StillRates();
  rates.prices.set("ltc", 100n * 10n ** 18n);
  rates.fees.set("ltc", 100_000n);
  rates.fees.set("eth", 10n ** 14n);
  exchange = { kind: "waiting" };
});
afterEach(async () => {
  await own.close();
  await database.drop();
});

type Started = Partial<Parameters<typeof createTestEngine>[0]>;

async function start(parts: Started = {}): Promise<void> {
  engine = await createTestEngine({
    database: own,
    catalogue: await loadCatalogue({ simulatedNetworks: new Set(["LTC"]) }),
    rates,
    reader: ether,
    wallet: ether,
    others: [{ reader: litecoin, wallet: litecoin }],
    ...parts,
  });
  await engine.settle();
}

/** As `start`, with a partner that fills every order. */
function startWithPartner(): Promise<void> {
  rates.provider = "changenow";
  const point = (milli: bigint) => ({ amountFrom: milli * 10n ** 15n, amountTo: milli * 2_990_000n });
  rates.partners.set(offerKey("changenow", "eth", "ltc"), [point(10n), point(10_000n)]);
  const partner: LiquidityPartner = {
    code: "changenow",
    quote: async () => [],
    find: async () => ({ kind: "absent" }),
    status: async () => exchange,
    open: async ({ destination, refund }) => ({
      kind: "opened",
      exchange: {
        partnerId: "x1",
        deposit: { address: "partner", memo: null },
        destination: destination.address,
        refund: refund.address,
        min: null,
        max: null,
        expiresAt: null,
      },
    }),
  };
  return start({ partners: new Map([["changenow", partner]]) });
}

async function pay(): Promise<void> {
  const body = orderBody({ instrumentTo: LTC, destinationAddress: "dest" });
  const order = await engine.engine.orderService.create(body, { key: "203.0.113.9", traceId: "test" });
  ether.deposit(order.depositAddress ?? "", "eth", HALF_ETH);
}

async function blocks(count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    ether.mine();
    litecoin.mine();
    await timePasses(own);
    await engine.settle();
  }
}

async function loseDeposit(comesBack = false): Promise<void> {
  ether.reorg(BEYOND, comesBack);
  await timePasses(own);
  await engine.settle();
}

const releaseEther = () => engine.switches.release(PAY_ETH);
const paid = () => litecoin.received("dest", "ltc").length;
const paidToPartner = () => ether.received("partner", "eth").length;
const heldPayments = async () =>
  (await listHeld(own)).flatMap(({ subject, reason }) =>
    subject.startsWith("payout") ? [`${subject} ${reason}`] : [],
  );

it("a large payment whose deposit is lost while two operators decide is not made by their decision", async () => {
  await start({ approval: { aboveUsd: 100 } });
  await pay();
  await blocks(5);
  expect(await heldPayments()).toEqual(["payout 1 large_payment"]);
  await loseDeposit();
  await releasePayout(own, by("ann"), 1n);
  await confirmPayout(own, by("bob"), 1n);
  await blocks(4);
  expect([paid(), await heldPayments()]).toEqual([0, ["payout 1 deposit_gone"]]);
});

it("a payment that its destination refused is not signed anew without its deposit, unless an operator says so of that", async () => {
  litecoin.failing.set("dest", new PaymentRefusedError("destination_reverts", "refused"));
  await start();
  await pay();
  await blocks(5);
  await loseDeposit();
  litecoin.failing.clear();
  await retryPayout(own, by("ann"), 1n);
  await blocks(4);
  expect([paid(), await heldPayments()]).toEqual([0, ["payout 1 deposit_gone"]]);
  await expect(releasePayout(own, by("ann"), 1n)).rejects.toThrow('"payout retry 1" pays it without the deposit');
  await retryPayout(own, by("ann"), 1n);
  await blocks(4);
  expect([paid(), await heldPayments()]).toEqual([1, []]);
});

it("a payment that waits for its deposit goes on by itself once the deposit is back", async () => {
  litecoin.failing.set("dest", new PaymentRefusedError("destination_reverts", "refused"));
  await start();
  await pay();
  await blocks(5);
  await loseDeposit(true);
  litecoin.failing.clear();
  await retryPayout(own, by("ann"), 1n);
  await engine.settle();
  expect([paid(), await heldPayments()]).toEqual([0, ["payout 1 deposit_gone"]]);
  await blocks(8);
  expect([paid(), await heldPayments()]).toEqual([1, []]);
});

it("an order whose partner gives up after its deposit was lost is not paid from the treasury", async () => {
  await startWithPartner();
  ether.balances.set("eth", 0n);
  await pay();
  await blocks(4);
  await loseDeposit();
  exchange = { kind: "expired" };
  await blocks(12);
  expect([paid(), paidToPartner(), await heldPayments()]).toEqual([0, 0, ["payout 1 deposit_gone"]]);
});

it("a partner is not paid for an order whose deposit is lost, once the network's stop is ended", async () => {
  await startWithPartner();
  ether.balances.set("eth", 0n);
  await pay();
  await blocks(4);
  await loseDeposit();
  ether.balances.delete("eth");
  await releaseEther();
  await blocks(8);
  expect([paid(), paidToPartner()]).toEqual([0, 0]);
  expect(await heldPayments()).toEqual(["payout 1 deposit_gone", "payout 2 deposit_gone"]);
});

it("an order that waited for a provider when its deposit was lost is not paid", async () => {
  await startWithPartner();
  ether.balances.set("eth", 0n);
  await pay();
  await blocks(3);
  rates.partners.clear();
  rates.prices.delete("ltc");
  exchange = { kind: "expired" };
  await blocks(2);
  await loseDeposit();
  rates.prices.set("ltc", 100n * 10n ** 18n);
  await blocks(6);
  expect([paid(), await heldPayments()]).toEqual([0, ["payout 1 deposit_gone"]]);
});

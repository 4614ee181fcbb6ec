import { sql } from "kysely";
import { parseAmount, readExternalDecimal } from "#contract/money.ts";
import { openDatabase, type Database } from "../../../server/db/database.ts";
import { createChangeNow } from "../../../server/liquidity/partners/changenow.ts";
import { createSideShift } from "../../../server/liquidity/partners/sideshift.ts";
import type { LiquidityPartner } from "../../../server/liquidity/port.ts";
import { offerKey } from "../../../server/rates/quote.ts";
import { createLog } from "../../../server/base/logging/log.ts";
import { violations, type ChainView } from "../checkers/checkers.ts";
import type { CrashPoints } from "../scenarios/crash-points.ts";
import { runProcess, timePasses } from "../scenarios/dying-process.ts";
import { createTestEngine, orderBody, StillRates, type TestEngine } from "../scenarios/test-engine.ts";
import { FakeChain } from "../chains/fake-chain.ts";
import { CHANGENOW_KEY, ChangeNowServer } from "./changenow-server.ts";
import { partnerViolations } from "./partner-checkers.ts";
import type { HeldExchange, PartnerServer } from "./partner-server.ts";
import { SIDESHIFT_AFFILIATE, SIDESHIFT_SECRET, SideShiftServer } from "./sideshift-server.ts";

export const SENT_WEI = 5n * 10n ** 17n;
/** The catalogue's confirmations of Ethereum. */
const CONFIRMATIONS = 3;
const MOST_BLOCKS = 40;
const TOKEN = "usdt-erc20";

/** What a partner does with an exchange that it was paid for. */
export type Behaviour = "delivers" | "returns" | "returns_half" | "stalls" | "lies";

type PartnerFixture = { server: PartnerServer; behaviour: Behaviour; done: string };

/**
 * One swap of ETH to USDT that a partner fills, over a chain in memory, a real database and partners' real APIs on this machine. The
 * server may die at any point and is restarted; chain and partners live on.
 */
export class PartnerScenario {
  readonly chain: FakeChain;
  readonly changeNow = new ChangeNowServer();
  readonly sideShift = new SideShiftServer();
  readonly rates = new StillRates();
  readonly destination = "customer";
  readonly partners: Record<"changenow" | "sideshift", PartnerFixture> = {
    changenow: { server: this.changeNow, behaviour: "delivers", done: "finished" },
    sideshift: { server: this.sideShift, behaviour: "delivers", done: "settled" },
  };
  /** How long an answer is waited for. */
  timeoutMs = 10_000;
  orderId = "";
  readonly #database: Database;

  constructor(database: Database, chain = new FakeChain()) {
    this.#database = database;
    this.chain = chain;
    this.rates.provider = "changenow";
    this.quote("changenow", 2990n);
    this.changeNow.addressPrefix = "changenow";
    this.sideShift.addressPrefix = "sideshift";
  }

  async start(): Promise<this> {
    await Promise.all([this.changeNow.start(), this.sideShift.start()]);
    return this;
  }

  async stop(): Promise<void> {
    await Promise.all([this.changeNow.stop(), this.sideShift.stop()]);
  }

  /** A partner's quote on the snapshot; null: it no longer quotes. */
  quote(partner: string, rate: bigint | null): void {
    const key = offerKey(partner, "eth", TOKEN);
    const point = (milli: bigint) => ({
      amountFrom: milli * 10n ** 15n,
      amountTo: milli * 1_000n * (rate ?? 0n) - 1_000_000n,
    });
    if (rate === null) this.rates.partners.delete(key);
    else this.rates.partners.set(key, [point(10n), point(10_000n)]);
  }

  /** The same order on a copy of the database, with a chain and partners of its own. */
  async continueIn(database: Database): Promise<PartnerScenario> {
    const copy = new PartnerScenario(database);
    copy.chain.continueFrom(this.chain);
    copy.rates.provider = this.rates.provider;
    copy.rates.partners = new Map(this.rates.partners);
    copy.orderId = this.orderId;
    return copy.start();
  }

  /** The order exists and its deposit is in the next block. */
  async begin(): Promise<void> {
    const { database, testEngine } = this.process();
    const it = await testEngine;
    await it.settle();
    const order = await it.engine.orderService.create(orderBody({ destinationAddress: this.destination }), {
      key: "203.0.113.9",
      traceId: "scenario",
    });
    this.orderId = order.orderId;
    this.chain.deposit(order.depositAddress, "eth", SENT_WEI);
    await database.close();
  }

  /** The deposit lacks one block. */
  async beginUntilLastBlock(): Promise<void> {
    await this.begin();
    const { database, testEngine } = this.process();
    await this.pass(await testEngine, database, CONFIRMATIONS - 1);
    await database.close();
  }

  /** Runs until everything is final, or until the process dies; returns the point where it died, else null. */
  live(points: CrashPoints | null = null): Promise<string | null> {
    return runProcess(this.#database, points, async (database) =>
      this.#untilFinal(database, await this.#engine(database, points)),
    );
  }

  /** So many blocks, with a turn of every loop and partner after each. */
  async pass(it: TestEngine, database: Database, blocks: number): Promise<void> {
    for (let block = 0; block < blocks; block += 1) {
      await timePasses(database);
      await it.settle();
      this.partnersWork();
      this.chain.mine();
    }
    await timePasses(database);
    await it.settle();
  }

  /** An engine over connections of its own, for who turns its loops by hand. */
  process(): { database: Database; testEngine: Promise<TestEngine> } {
    const log = createLog({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" });
    const database = openDatabase(this.#database.url, { max: 4, log, applicationName: "by hand" });
    return { database, testEngine: this.#engine(database, null) };
  }

  /** The partners by code, as a process asks them. */
  adapters(): ReadonlyMap<string, LiquidityPartner> {
    const { timeoutMs } = this;
    const partners: LiquidityPartner[] = [
      createChangeNow({ url: this.changeNow.url, apiKey: CHANGENOW_KEY, timeoutMs }),
      createSideShift({
        url: this.sideShift.url,
        secret: SIDESHIFT_SECRET,
        affiliateId: SIDESHIFT_AFFILIATE,
        timeoutMs,
      }),
    ];
    return new Map(partners.map((partner) => [partner.code, partner]));
  }

  #engine(database: Database, points: CrashPoints | null): Promise<TestEngine> {
    const partners = [...this.adapters().values()];
    return createTestEngine({
      database,
      reader: points?.reader(this.chain) ?? this.chain,
      wallet: points?.wallet(this.chain) ?? this.chain,
      rates: this.rates,
      partners: new Map(partners.map((partner) => [partner.code, points?.partner(partner) ?? partner])),
      ...(points ? { probe: points.probe } : {}),
    });
  }

  /** The laws that this scenario broke. */
  async violations(): Promise<string[]> {
    const { database, testEngine } = this.process();
    const order = await (await testEngine).engine.orderService.info(this.orderId, this.destination);
    const found = await violations(database, this.#view(), CONFIRMATIONS);
    found.push(...(await partnerViolations(database, this.payments())));
    const [paid] = this.chain.received(this.destination, TOKEN);
    const payout = order.withdrawals[0];
    if (order.status !== "WITHDRAWAL_COMPLETED" && order.status !== "REFUND_COMPLETED")
      found.push(`the order ended at ${order.status}`);
    if (order.status === "WITHDRAWAL_COMPLETED" && parseAmount(payout?.amount ?? "", 6) !== paid)
      found.push(`the order shows ${payout?.amount}, the chain ${paid}`);
    await database.close();
    return found;
  }

  /** What the chain shows to have been paid to addresses of partners. */
  payments(): { partner: string; partnerId: string; address: string; paid: bigint[] }[] {
    return Object.entries(this.partners).flatMap(([partner, { server }]) =>
      server.exchanges.map(({ id, deposit: { address } }) => ({
        partner,
        partnerId: id,
        address,
        paid: this.chain.received(address, "eth"),
      })),
    );
  }

  /** Every partner takes a step for every exchange that it was paid for. */
  partnersWork(): void {
    for (const partner of Object.values(this.partners)) {
      for (const held of partner.server.exchanges) {
        const [paid] = this.chain.received(held.deposit.address, "eth");
        if (paid !== undefined) this.#work(partner, held, paid);
      }
    }
  }

  #work({ behaviour, done, server }: PartnerFixture, held: HeldExchange, paid: bigint): void {
    const isChangeNow = server === this.changeNow;
    if (held.status === "waiting") held.status = isChangeNow ? "confirming" : "pending";
    else if (behaviour === "stalls" || held.status === done || held.status === "refunded") return;
    else if (behaviour === "lies") Object.assign(held, { status: done, payoutHash: this.#lie(), delivered: "1494" });
    else if (behaviour === "delivers") this.#deliver(held, server.deliver(decimal(paid)), done);
    else if (held.status === "failed" || held.status === "refunding") {
      this.chain.deposit(held.refund.address, "eth", behaviour === "returns" ? paid - 10n ** 15n : paid / 2n);
      held.status = "refunded";
    } else held.status = isChangeNow ? "failed" : "refunding";
  }

  #deliver(held: HeldExchange, amount: string, done: string): void {
    const minor = readExternalDecimal(amount, 6) ?? 0n;
    const payoutHash = this.chain.deposit(held.destination.address, TOKEN, minor);
    Object.assign(held, { status: done, payoutHash, delivered: amount });
  }

  /** A foreign transaction. */
  #lie(): string {
    return this.chain.deposit("somebody", TOKEN, 1n);
  }

  async #untilFinal(database: Database, testEngine: TestEngine): Promise<void> {
    for (let block = 0; block < MOST_BLOCKS; block += 1) {
      await timePasses(database);
      await testEngine.settle();
      if (await this.#isFinal(database)) return;
      this.partnersWork();
      this.chain.mine();
    }
    throw new Error("the scenario did not end");
  }

  /** Nothing is under way any more, not even a payment's last confirmation. */
  async #isFinal(database: Database): Promise<boolean> {
    const { rows } = await sql<{ open: number }>`
      select (select count(*) from orders where state not in ('completed', 'refunded'))::int
        + (select count(*) from payouts where state not in ('final', 'returned'))::int as open`.execute(
      database.kysely,
    );
    return rows[0]?.open === 0;
  }

  #view(): ChainView {
    return {
      delivered: async () => [...this.chain.received(this.destination, TOKEN), ...this.chain.received("back", "eth")],
      isDeep: async (txId, confirmations) => {
        const found = await this.chain.lookup(txId);
        return found.kind === "mined" && this.chain.tip.height - found.height + 1 >= confirmations;
      },
    };
  }
}

function decimal(wei: bigint): string {
  const text = wei.toString().padStart(19, "0");
  return `${text.slice(0, -18)}.${text.slice(-18)}`.replace(/\.?0+$/, "");
}

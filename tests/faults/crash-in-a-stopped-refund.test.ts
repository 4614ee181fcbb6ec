import { expect, it } from "vitest";
import { CodedError } from "#contract/errors.ts";
import { issueStopToken } from "../../server/notifications/stop-tokens.ts";
import { releaseStoppedRefund } from "../../server/orders/refunds/operator.ts";
import { violations } from "../support/checkers/checkers.ts";
import { CrashPoints } from "../support/scenarios/crash-points.ts";
import { runProcess, timePasses } from "../support/scenarios/dying-process.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { askForRefund, createTestEngine, orderBody, type TestEngine } from "../support/scenarios/test-engine.ts";
import { prepareStatements } from "../support/database/prepared-statements.ts";

prepareStatements();

/** A scenario has at least these points; fewer would mean that a call or a transaction was not counted. */
const MIN_POINTS = { stopped: 124, waits: 110 };
const CONFIRMATIONS = 3;
const HALF_ETH = 5n * 10n ** 17n;
const MAX_BLOCKS = 20;

type Refund = { id: string; asked: string; owner: string; token: string; isStopped: boolean; isReleased: boolean };

/**
 * Refunds to addresses that were not given at creation, one after the other, by processes that may die at any point while a refund waits,
 * is stopped and goes on. What the customers and the operator do is done once; a customer whose call was not answered repeats it.
 */
class Scenarios {
  readonly refunds: Refund[] = [];
  readonly #database: TestDatabase;
  readonly #chain = new FakeChain();
  #passed = 0;

  constructor(database: TestDatabase) {
    this.#database = database;
  }

  async live(points: CrashPoints, isStopped: boolean): Promise<string | null> {
    const refund = await this.#begin(isStopped);
    const died = await this.#run(refund, points);
    if (died !== null) await this.#run(refund, null);
    return died;
  }

  async violations(): Promise<string[]> {
    const chain = this.#chain;
    const view = {
      delivered: async (orderId: string) => {
        const refund = this.refunds.find(({ id }) => id === orderId);
        return refund === undefined ? [] : [refund.asked, refund.owner].flatMap((to) => chain.received(to, "eth"));
      },
      isDeep: async (txId: string, confirmations: number) => {
        const found = await chain.lookup(txId);
        return found.kind === "mined" && chain.tip.height - found.height + 1 >= confirmations;
      },
    };
    const wrong = this.refunds.flatMap(({ id, asked, owner, isStopped }) => {
      const [paid, unpaid] = isStopped ? [owner, asked] : [asked, owner];
      const isRight = chain.received(paid, "eth").length === 1 && chain.received(unpaid, "eth").length === 0;
      return isRight ? [] : [`the refund of ${id} went elsewhere`];
    });
    return [...(await violations(this.#database, view, CONFIRMATIONS)), ...wrong];
  }

  async #begin(isStopped: boolean): Promise<Refund> {
    const n = this.refunds.length + 1;
    const calm = await this.#engine(this.#database, null);
    const body = orderBody({ userEmail: "ann@mail.example" });
    const order = await calm.engine.orderService.create(body, { key: `scenario ${n}`, traceId: "t" });
    this.#chain.deposit(order.depositAddress, "eth", HALF_ETH);
    await this.#block(calm);
    await askForRefund(calm, order, `asked-${n}`);
    const token = await issueStopToken(this.#database, order.orderId);
    const refund = { id: order.orderId, asked: `asked-${n}`, owner: `owner-${n}`, token, isStopped, isReleased: false };
    this.refunds.push(refund);
    return refund;
  }

  #run(refund: Refund, points: CrashPoints | null): Promise<string | null> {
    return runProcess(this.#database, points, async (database) =>
      this.#untilPaid(refund, await this.#engine(database, points)),
    );
  }

  async #untilPaid(refund: Refund, testEngine: TestEngine): Promise<void> {
    for (let block = 0; block < CONFIRMATIONS; block += 1) await this.#block(testEngine);
    if (refund.isStopped) await this.#stop(refund, testEngine);
    this.#passed += 2 * testEngine.catalogue.terms.refundDelaySeconds;
    await this.#block(testEngine);
    if (refund.isStopped && !refund.isReleased) {
      expect(this.#chain.received(refund.asked, "eth")).toEqual([]);
      const to = { address: refund.owner, memo: null };
      const named = { orderId: refund.id, reference: refund.id };
      await releaseStoppedRefund(this.#database, { name: "ann", reason: "a test" }, named, to);
      refund.isReleased = true;
    }
    for (let block = 0; block < MAX_BLOCKS; block += 1) {
      const payouts = this.#database.kysely.selectFrom("payouts").select("state").where("order_id", "=", refund.id);
      if ((await payouts.executeTakeFirst())?.state === "final") return;
      await this.#block(testEngine);
    }
    throw new Error("the scenario did not end");
  }

  async #stop({ id, token, isReleased }: Refund, { engine }: TestEngine): Promise<void> {
    try {
      await engine.orderService.stopRefund(id, token);
    } catch (error) {
      if (!(isReleased && error instanceof CodedError)) throw error;
    }
  }

  async #block(testEngine: TestEngine): Promise<void> {
    this.#chain.mine();
    await timePasses(this.#database);
    await testEngine.settle();
  }

  #engine(database: Parameters<typeof createTestEngine>[0]["database"], points: CrashPoints | null) {
    const chain = this.#chain;
    return createTestEngine({
      database,
      reader: points?.reader(chain) ?? chain,
      wallet: points?.wallet(chain) ?? chain,
      now: () => new Date(Date.now() + this.#passed * 1000),
      ...(points && { probe: points.probe }),
    });
  }
}

it.each([
  ["stopped and released to its owner", true],
  ["not stopped", false],
])("a refund that waits and is %s is paid once, wherever its process dies", async (_, isStopped) => {
  await using database = await freshDatabase();
  const scenarios = new Scenarios(database);
  // The first one also creates the ledger's accounts.
  await scenarios.live(new CrashPoints(0), isStopped);
  const points = new CrashPoints(0);
  await scenarios.live(points, isStopped);
  const total = points.count;
  process.stdout.write(`crash points of a refund that waits${isStopped ? " and is stopped" : ""}: N = ${total}\n`);
  expect(total).toBeGreaterThanOrEqual(MIN_POINTS[isStopped ? "stopped" : "waits"]);
  const unhurt: number[] = [];
  for (let crashAt = 1; crashAt <= total; crashAt += 1)
    if ((await scenarios.live(new CrashPoints(crashAt), isStopped)) === null) unhurt.push(crashAt);
  expect(unhurt).toEqual([]);
  expect(await scenarios.violations()).toEqual([]);
});

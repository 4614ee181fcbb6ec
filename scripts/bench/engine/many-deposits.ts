import { createLog } from "../../../server/base/logging/log.ts";
import { openDatabase, type Database } from "../../../server/db/database.ts";
import { migrate } from "../../../server/db/migrate.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import type { Figure } from "../figure.ts";

const CONNECTIONS = 16;
const AMOUNT = 10n ** 15n;
/** How many times fewer deposits the order has that the other one is compared with. */
const FEWER = 4;
/** Linear work takes four times as long, quadratic work sixteen times. */
const RATIO = 8;
const DETAILS = [
  ["follower", "follower, the block that pays it"],
  ["registered", "runOrders, all of them registered"],
  ["waiting", "runOrders, a block later, none of them final"],
  ["settled", "runOrders, credited and settled"],
] as const;

type Times = Record<(typeof DETAILS)[number][0], number>;

/** What an order costs that so many outputs of one transaction pay, each step beside that of an order with a quarter of them. */
export async function measureManyDeposits(
  resources: AsyncDisposableStack,
  url: string,
  count: number,
): Promise<Figure[]> {
  const log = createLog({ level: "error" });
  const database = openDatabase(url, { max: CONNECTIONS, log, applicationName: "wherry-bench" });
  resources.defer(() => database.close());
  await migrate(database);
  const chain = new FakeChain();
  chain.mine(2);
  const testEngine = await createTestEngine({ database, reader: chain, wallet: chain, log });
  await testEngine.settle();
  const few = await settledOrder(testEngine, chain, database, Math.ceil(count / FEWER));
  const many = await settledOrder(testEngine, chain, database, count);
  const sum = (times: Times) => DETAILS.reduce((total, [step]) => total + times[step], 0);
  return [
    ...DETAILS.map(([step, name]): Figure => ({ name, value: many[step], unit: "ms" })),
    { name: "for one deposit", value: sum(many) / count, unit: "ms" },
    {
      name: `all of it, to ${Math.ceil(count / FEWER)} deposits`,
      value: sum(many) / sum(few),
      unit: "×",
      goal: { atMost: RATIO },
    },
  ];
}

async function settledOrder(
  { engine }: TestEngine,
  chain: FakeChain,
  database: Database,
  count: number,
): Promise<Times> {
  const client = { key: "bench", traceId: "bench" };
  const { orderId, depositAddress } = await engine.orderService.create(orderBody(), client);
  const output = { toAddress: depositAddress, slug: "eth", amount: AMOUNT };
  const transfers = Array.from({ length: count }, (_, outputIndex) => ({ ...output, outputIndex }));
  chain.pending.push({ txId: `${count} outputs`, from: "outside", nonce: 0, transfers });
  const follow = () =>
    timed(async () => {
      chain.mine();
      for (const follower of engine.followers.values()) while (await follower.turn());
    });
  const follower = await follow();
  const registered = await timed(engine.runOrders);
  await follow();
  const waiting = await timed(engine.runOrders);
  await follow();
  const settled = await timed(engine.runOrders);
  const found = await database.kysely.selectFrom("orders").select("state").where("id", "=", orderId).executeTakeFirst();
  if (found?.state !== "paying")
    throw new Error(`an order of ${count} deposits is ${found?.state ?? "gone"}, not paying`);
  return { follower, registered, waiting, settled };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

import { describe, expect, it } from "vitest";
import { openDatabase } from "../../server/db/database.ts";
import { CommitUnknownError } from "../../server/db/transaction.ts";
import { createLog } from "../../server/base/logging/log.ts";
import { CuttingProxy } from "../support/http/cutting-proxy.ts";
import { freshDatabase } from "../support/database/database.ts";
import { orderBody } from "../support/scenarios/test-engine.ts";
import { FaultySwap } from "../support/scenarios/faulty-swap.ts";

const FULL = 1_491_500_000n;
/** A swap has at least so many commits: fewer would mean that some did not pass the proxy. */
const MIN_COMMITS = 12;
const MOST_BLOCKS = 20;

type Cut = "done" | "lost";

/** Runs one swap whose nth COMMIT is cut; returns how many commits were cut, 0 when the scenario has fewer. */
async function liveWithCut(nth: number, cut: Cut): Promise<number> {
  await using direct = await freshDatabase({ max: 2 });
  await using proxy = await CuttingProxy.to(direct.url);
  let commits = 0;
  const arm = () => {
    commits += 1;
    if (commits === nth) proxy.next = cut;
  };
  const log = createLog({ level: "silent" });
  const distant = openDatabase(proxy.url, { max: 4, log, applicationName: "distant" });
  const probe = { beforeCommit: arm, afterCommit: () => undefined };
  const swap = await patiently(() => FaultySwap.over(distant, { probe }));
  await patiently(() => swap.open());
  swap.pay();
  for (let block = 0; block < MOST_BLOCKS && swap.paid().length === 0; block += 1)
    await patiently(() => swap.blocks(1));
  for (let block = 0; block < 4; block += 1) await patiently(() => swap.blocks(1));
  expect(swap.paid()).toEqual([FULL]);
  await swap.expectLawful();
  await distant.close();
  return proxy.cuts;
}

/** Repeats what ended with an unknown result, as a customer and the server's loops do. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CommitUnknownError)) throw error;
    return work();
  }
}

describe("a COMMIT whose reply is lost", () => {
  it.each([
    ["done", 1],
    // One that never arrived is a rollback, which the crashes before each commit show as well.
    ["lost", 4],
  ] as const)("anywhere in a swap, the commit itself %s: it is paid once", async (cut, step) => {
    let nth = 1;
    while ((await liveWithCut(nth, cut)) > 0) nth += step;
    process.stdout.write(`commits of a swap that were ${cut} and not answered: up to the ${nth - step}th\n`);
    expect(nth).toBeGreaterThan(MIN_COMMITS);
  });

  it("of an order's creation gives the same order to the same call, and no second one", async () => {
    await using direct = await freshDatabase({ max: 2 });
    await using proxy = await CuttingProxy.to(direct.url);
    const log = createLog({ level: "silent" });
    const distant = openDatabase(proxy.url, { max: 4, log, applicationName: "distant" });
    const swap = await FaultySwap.over(distant);
    const client = { key: "test", traceId: "test", seed: "one secret of this call" };
    const create = () => swap.testEngine.engine.orderService.create(orderBody(), client);
    proxy.next = "done";
    await expect(create()).rejects.toThrow(CommitUnknownError);
    const order = await create();
    expect(await create()).toEqual(order);
    expect(await direct.kysely.selectFrom("orders").select("id").execute()).toEqual([{ id: order.orderId }]);
    await distant.close();
  });
});

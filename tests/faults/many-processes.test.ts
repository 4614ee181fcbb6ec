import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { calls } from "#contract/calls.ts";
import type { CoinOrder, OrderEventKind } from "#contract/order.ts";
import { Api, Refusal } from "../support/http/api.ts";
import { Balancer } from "../support/http/balancer.ts";
import { eventually } from "../support/eventually.ts";
import { ProcessGroup } from "../support/processes/process-group.ts";
import { applicationFor, HALF_ETH, rateOf, readOrder, type Application } from "../support/scenarios/http-swap.ts";
import type { ServerProcess } from "../support/processes/server-process.ts";
import { SocketClient } from "../support/http/socket-client.ts";
import { CONFIRMATIONS, SwapProof } from "../support/checkers/swap-proof.ts";

const READS = 60;
/** An invalid mnemonic: a web process that read it would refuse to start. */
const NO_MNEMONIC = "not a mnemonic";

const RATES_ASKED = {
  instrumentFromSlug: "eth",
  instrumentToSlug: "usdt-erc20",
  claimedDepositAmount: "1",
  rateMode: "FLOATING",
};

let group: ProcessGroup;
let proof: SwapProof;
let apis: Api[];

beforeAll(async () => {
  group = await ProcessGroup.start({
    EVM_MNEMONIC: NO_MNEMONIC,
    RATE_LIMIT_READS: `${READS}`,
    DRAIN_SECONDS: "1",
    TRUST_PROXY: "1",
  });
  proof = new SwapProof({ databaseUrl: async () => group.database.url }, group.devnet);
  apis = group.webs.map(({ url }) => new ClientApi(url));
  await eventually("both webs quote", async () => {
    const answers = await Promise.all(apis.map((api) => api.send({ method: "GET", path: calls.health.path })));
    return answers.every(({ text }) => text.includes('"OK"')) || null;
  });
}, 300_000);
afterAll(() => group?.end());

/** Each test's calls come from an address of its own, so that the limits of one do not affect another. */
let address = 1;
const newAddress = (): string => `10.9.${(address += 1) >> 8}.${address & 255}`;

class ClientApi extends Api {
  override send(request: Parameters<Api["send"]>[0]): ReturnType<Api["send"]> {
    // The sandbox serves nobody who comes through a proxy.
    if (request.path.startsWith("/sandbox")) return super.send(request);
    return super.send({ ...request, headers: { "x-forwarded-for": newAddress(), ...request.headers } });
  }
}

const web = (at: number): Api => {
  const api = apis[at];
  if (api === undefined) throw new Error(`there is no web ${at}`);
  return api;
};
const process = (servers: readonly ServerProcess[], at: number): ServerProcess => {
  const server = servers[at];
  if (server === undefined) throw new Error(`there is no process ${at}`);
  return server;
};

async function swapBegun(api: Api): Promise<{ application: Application; order: CoinOrder }> {
  const application = await applicationFor(api);
  const order = await api.call("createOrder", application);
  await group.devnet.payMined(order.depositAddress, HALF_ETH);
  return { application, order };
}

/** Waits for the chain's own blocks: mining more than a loaded machine can follow would only make its followers late. */
const completed = (api: Api, order: CoinOrder): Promise<CoinOrder> => after(api, order, "WITHDRAWAL_COMPLETED");
const after = async (api: Api, order: CoinOrder, kind: OrderEventKind): Promise<CoinOrder> => {
  try {
    return await eventually(
      `${kind} of ${order.orderId}`,
      async () => {
        const now = await readOrder(api, order);
        return now.orderEvents.some((event) => event.kind === kind) ? now : null;
      },
      120_000,
    );
  } catch (error) {
    throw new Error(await standOf(order), { cause: error });
  }
};

/** What the rows say of an order that does not get on. */
async function standOf({ orderId, depositAddress }: CoinOrder): Promise<string> {
  const rowsOf = async (table: string, column: string) => {
    const { rows } = await group.database.pool.query(`select * from ${table} where ${column} = $1`, [orderId]);
    return [table, rows];
  };
  const tail = await group.database.pool.query("select max(height) from chain_tail where network = 'ETH'");
  const tables = [rowsOf("orders", "id"), rowsOf("deposits", "order_id"), rowsOf("payouts", "order_id")];
  const rows = {
    ...Object.fromEntries(await Promise.all(tables)),
    tail: tail.rows,
    chain: await chainOf(depositAddress),
  };
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
}

/** What the node says of the order's address and of who pays there, without the server. */
async function chainOf(address: string): Promise<unknown> {
  const { devnet } = group;
  const payer = (await devnet.call("eth_accounts", [], z.array(z.string())))[9];
  const ask = (method: string, ...params: unknown[]) => devnet.call(method, params, z.unknown());
  return {
    height: await devnet.height(),
    balance: await ask("eth_getBalance", address, "latest"),
    payments: [
      await ask("eth_getTransactionCount", payer, "latest"),
      await ask("eth_getTransactionCount", payer, "pending"),
    ],
    pool: await ask("txpool_status"),
  };
}

/** The workers that have taken a lease so far, by their logs. */
const holders = (lease: string): ServerProcess[] =>
  group.workers.filter(({ output }) => output.some((line) => /"leases":/.test(line) && line.includes(`"${lease}"`)));

describe("two workers at once", () => {
  it("complete each swap of both webs once, and each web shows the other's orders", async () => {
    const begun: Awaited<ReturnType<typeof swapBegun>>[] = [];
    // One after the other: the node's account would give two payments at once the same nonce.
    for (const at of [0, 1, 0, 1, 0, 1]) begun.push(await swapBegun(web(at)));
    for (const [at, { application, order }] of begun.entries()) {
      const other = web((at + 1) % 2);
      expect(await other.call("createOrder", application)).toMatchObject({ orderId: order.orderId });
      await proof.expectPaidOnce(await completed(other, order));
    }
  });

  it("share the work: one of them follows the chain, one publishes the prices", () => {
    expect(holders("follower ETH")).toHaveLength(1);
    expect(holders("price snapshots")).toHaveLength(1);
  });
});

describe("a web", () => {
  it("has no key: it doesn't read the mnemonic in its environment and opens no wallet", async () => {
    for (const { dataDir } of group.webs) expect(await readdir(dataDir)).not.toContain("keys");
    const { rows } = await group.database.pool.query(
      "select count(*)::int as n from ledger_transfers where kind = 'opening'",
    );
    expect(rows[0].n).toBeGreaterThan(0);
    for (const { output } of group.webs) expect(output.join("\n")).not.toMatch(/"leases":/);
  });

  it("sends its sockets the price that the other web has set, at once", async () => {
    const socket = await SocketClient.open(Number(new URL(web(1).url).port));
    socket.ask(RATES_ASKED);
    await socket.message(0);
    const begunAt = performance.now();
    await web(0).call("sandboxMarket", { body: { slug: "eth", price: "3456.78" } });
    await eventually(
      "the new price is pushed",
      () => socket.messages.some((one) => JSON.stringify(one).includes("3456.78")) || null,
    );
    console.log(
      `  a price set on one web reached a socket of the other in ${Math.round(performance.now() - begunAt)} ms`,
    );
    socket.close();
  });

  it("shows what an order became through the other within the time of a page's poll", async () => {
    const { order } = await swapBegun(web(0));
    const { orderId, destinationAddress } = order;
    const shown = () => web(1).call("orderInfo", { query: { orderId, destinationAddress } });
    expect((await shown()).userEmail, "both have just read it").toBeNull();
    const changedAt = performance.now();
    await web(0).call("setEmail", { body: { orderId, userEmail: "a@mail.example" } });
    await eventually("the other web shows it", async () => (await shown()).userEmail, 3_000);
    console.log(
      `  an order's change through one web was shown by the other in ${Math.round(performance.now() - changedAt)} ms`,
    );
    await proof.expectPaidOnce(await completed(web(1), order));
  });

  it("counts calls together with the other", async () => {
    const limited = newAddress();
    const statuses = await spend(limited, READS + 2);
    expect(statuses.filter((status) => status === 200)).toHaveLength(READS);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });
});

/** Reads of one address at both webs in turn, until so many are answered. */
async function spend(from: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let done = 0; done < times; done += 20) {
    const batch = Array.from({ length: Math.min(20, times - done) }, (_, n) =>
      new Api(web(n % 2).url).send({ method: "GET", path: calls.healthz.path, headers: { "x-forwarded-for": from } }),
    );
    statuses.push(...(await Promise.all(batch)).map(({ status }) => status));
  }
  return statuses;
}

describe("Redis gone", () => {
  it("stops nothing: swaps go on, each web counts limits by itself, and both together once it is back", async () => {
    await group.redis.kill9();
    const alone = newAddress();
    const { order } = await swapBegun(web(0));
    await proof.expectPaidOnce(await completed(web(1), order));
    const statuses = await spend(alone, 2 * READS + 20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    await group.redis.start();
    await eventually(
      "both count together again",
      async () => (await spend(newAddress(), READS + 1)).includes(429) || null,
    );
  });
});

describe("kill -9 of a worker in mid-swap", () => {
  it.each([0, 1])("worker %i: the other finishes, and follows and quotes within seconds", async (at) => {
    const victim = process(group.workers, at);
    const { application, order } = await swapBegun(web(0));
    await after(web(0), order, "DEPOSIT_REGISTERED");
    await victim.kill9();
    const killedAt = performance.now();
    const other = await swapBegun(web(1));
    await after(web(1), other.order, "DEPOSIT_REGISTERED");
    console.log(`  a deposit was seen ${Math.round(performance.now() - killedAt)} ms after a worker was killed`);
    for (const one of [order, other.order]) await proof.expectPaidOnce(await completed(web(0), one));
    expect(await web(0).call("createOrder", application)).toMatchObject({ orderId: order.orderId });
    await victim.restart();
  });
});

describe("kill -9 of a web", () => {
  it("loses no order: the other web has what the first has promised", async () => {
    const victim = process(group.webs, 0);
    const { application, order } = await swapBegun(web(0));
    await victim.kill9();
    expect(await web(1).call("createOrder", application)).toEqual(order);
    await proof.expectPaidOnce(await completed(web(1), order));
    await victim.restart();
  });
});

describe("a rolling restart under load", () => {
  it("answers every call, keeps every promise and finishes every swap", async () => {
    const balancer = new Balancer(apis);
    const promised: { application: Application; order: CoinOrder }[] = [];
    const failures: unknown[] = [];
    let answered = 0;
    const over = new AbortController();
    const repeated = async (call: () => Promise<unknown>): Promise<void> => {
      while (!over.signal.aborted) {
        try {
          await call();
          answered += 1;
        } catch (error) {
          failures.push(error instanceof Refusal ? error.message : error);
          return;
        }
      }
    };
    const load = [
      repeated(() => balancer.call("stats", {})),
      repeated(() => rateOf(balancer)),
      repeated(async () => {
        promised.push(await swapBegun(balancer));
        for (let calm = 0; calm < 40; calm += 1) await rateOf(balancer);
      }),
    ];
    for (const server of [...group.webs, ...group.workers]) {
      expect(await server.term()).toBe(0);
      await server.restart();
      await eventually("the balancer sends to both webs", () => balancer.up === 2 || null);
    }
    over.abort();
    await Promise.all(load);
    await balancer.close();

    expect(failures).toEqual([]);
    expect(promised.length).toBeGreaterThan(0);
    console.log(`  ${answered} calls were answered during the rolling restart, ${promised.length} swaps among them`);
    for (const { application, order } of promised) {
      expect(await web(0).call("createOrder", application)).toMatchObject({ orderId: order.orderId });
      await proof.expectPaidOnce(await completed(web(1), order));
    }
  });
});

describe("after all of it", () => {
  it("no law of money is broken, and a violation would be noticed", async () => {
    await group.devnet.mine(CONFIRMATIONS);
    expect(await proof.lawsBroken()).toEqual([]);
    const orderId = proof.forgetOne();
    expect(await proof.lawsBroken()).toContain(`order ${orderId} is completed and unpaid`);
    expect(await readOrder(web(0), (await swapBegun(web(1))).order)).toBeDefined();
  });
});

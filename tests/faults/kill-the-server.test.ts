import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CoinOrder } from "#contract/order.ts";
import { Api, Refusal } from "../support/http/api.ts";
import { DevnetRpc } from "../support/chains/devnet-rpc.ts";
import { eventually } from "../support/eventually.ts";
import {
  applicationFor,
  bodyOf,
  finish,
  HALF_ETH,
  orderAfter,
  rateOf,
  readOrder,
  type Application,
} from "../support/scenarios/http-swap.ts";
import { ServerProcess } from "../support/processes/server-process.ts";
import { CONFIRMATIONS, SwapProof } from "../support/checkers/swap-proof.ts";

/** More than one is running when the first is answered. */
const CREATIONS_AT_ONCE = 12;
const BACK_WITHIN_MS = 5_000;
const SECOND_START_ENDS_WITHIN_MS = 10_000;

let server: ServerProcess;
let api: Api;
let devnet: DevnetRpc;
let proof: SwapProof;

beforeAll(async () => {
  server = await ServerProcess.start();
  api = new Api(server.url);
  devnet = new DevnetRpc(server.rpcUrl);
  proof = new SwapProof(server, devnet);
});
beforeEach(async () => {
  if (!server.isRunning) await server.restart();
});
afterAll(async () => server.end());

const create = (application: Application): Promise<CoinOrder> => api.call("createOrder", application);
const setPaused = (paused: boolean) =>
  api.call("sandboxNetwork", { params: { networkTitle: "ETH" }, body: { paused } });

async function openOrder(): Promise<{ application: Application; order: CoinOrder }> {
  const application = await applicationFor(api);
  return { application, order: await create(application) };
}

/** What a 2xx promised exists: the order under its id, and the same answer to the same call. */
async function expectPromiseKept(application: Application, promised: CoinOrder): Promise<void> {
  expect(await create(application)).toEqual(promised);
  await expectOrderKept(application, promised);
}

/** The same where the database has lost the answer, which does not wait for its disk: the call finds its order as that is now. */
async function expectOrderKept(application: Application, promised: CoinOrder): Promise<void> {
  const { orderId, reference, depositAddress, createdAt } = promised;
  const order = { orderId, reference, depositAddress, createdAt };
  expect(await create(application)).toMatchObject(order);
  expect(await readOrder(api, promised)).toMatchObject(order);
}

describe("a swap of 0.5 ETH to USDT over HTTP and JSON-RPC", () => {
  it("pays exactly what the order says", async () => {
    const { order } = await openOrder();
    await devnet.pay(order.depositAddress, HALF_ETH);
    const done = await orderAfter(api, order, "WITHDRAWAL_COMPLETED");
    await proof.expectPaidOnce(done);
    expect(done.deposits[0]).toMatchObject({ amount: "0.5", requiredConfirmations: CONFIRMATIONS });
  });
});

describe("kill -9 of the server", () => {
  it("while orders are created: each key has one order, and whoever was answered has that one", async () => {
    const rate = await rateOf(api);
    const applications = Array.from({ length: CREATIONS_AT_ONCE }, () => ({
      body: bodyOf(rate),
      headers: { "idempotency-key": randomUUID() },
    }));
    const answers = applications.map(create);
    await Promise.race(answers);
    await server.kill9();
    const promised = await Promise.allSettled(answers);
    await server.restart();
    const repeated = await Promise.all(applications.map(create));
    promised.forEach((answer, index) => {
      if (answer.status === "fulfilled") expect(repeated[index]).toEqual(answer.value);
    });
    expect(promised.filter((answer) => answer.status === "fulfilled").length).toBeGreaterThan(0);
  });

  it("before the deposit, which is made while the server is dead", async () => {
    const { application, order } = await openOrder();
    await server.kill9();
    await devnet.pay(order.depositAddress, HALF_ETH);
    await devnet.mine(1);
    await server.restart();
    await expectPromiseKept(application, order);
    await proof.expectPaidOnce(await finish(api, devnet, order));
  });

  it("after the deposit is seen", async () => {
    const { application, order } = await openOrder();
    await setPaused(true);
    await devnet.pay(order.depositAddress, HALF_ETH);
    await devnet.mine(1);
    await orderAfter(api, order, "INCOMING_FUNDS_DETECTED");
    await server.kill9();
    await server.restart();
    await expectPromiseKept(application, order);
    await proof.expectPaidOnce(await finish(api, devnet, order));
  });

  it("while confirmations are counted", async () => {
    const { application, order } = await openOrder();
    await setPaused(true);
    await devnet.pay(order.depositAddress, HALF_ETH);
    await devnet.mine(CONFIRMATIONS - 1);
    await eventually("the last but one confirmation", async () => {
      const [deposit] = (await readOrder(api, order)).deposits;
      return deposit?.confirmations === CONFIRMATIONS - 1 || null;
    });
    await server.kill9();
    await server.restart();
    await expectPromiseKept(application, order);
    await proof.expectPaidOnce(await finish(api, devnet, order));
  });

  it("right after FUNDS_WITHDRAWAL_START, with the payout in no block", async () => {
    const { application, order } = await openOrder();
    await setPaused(true);
    await devnet.pay(order.depositAddress, HALF_ETH);
    await devnet.mine(CONFIRMATIONS);
    const paying = await orderAfter(api, order, "FUNDS_WITHDRAWAL_START");
    await server.kill9();
    expect(paying.withdrawals[0]?.confirmations ?? 0).toBe(0);
    await server.restart();
    await expectPromiseKept(application, order);
    const done = await finish(api, devnet, order);
    await proof.expectPaidOnce(done);
    expect(done.amountToGet).toBe(paying.amountToGet);
  });

  it("after completion", async () => {
    const { application, order } = await openOrder();
    await devnet.pay(order.depositAddress, HALF_ETH);
    await finish(api, devnet, order);
    await server.kill9();
    await server.restart();
    await expectPromiseKept(application, order);
    await devnet.mine(CONFIRMATIONS);
    await proof.expectPaidOnce(await readOrder(api, order));
  });

  it("with its whole process group: the chain lives on, and the next start attaches to it", async () => {
    const { application, order } = await openOrder();
    await devnet.pay(order.depositAddress, HALF_ETH);
    const node = server.nodePid();
    expect(node).not.toBeNull();
    await server.killGroup();
    const height = await devnet.height();
    await server.restart();
    expect(server.nodePid()).toBe(node);
    expect(await devnet.height()).toBeGreaterThanOrEqual(height);
    await expectPromiseKept(application, order);
    await proof.expectPaidOnce(await finish(api, devnet, order));
  });
});

describe("kill -9 of PostgreSQL", () => {
  it("is over in under 5 s, with coded errors meanwhile, and the swap goes on", async () => {
    const { application, order } = await openOrder();
    const next = await applicationFor(api);
    await devnet.pay(order.depositAddress, HALF_ETH);
    const postgres = server.postgresPid();
    if (postgres === null) throw new Error("the server has no database");
    process.kill(postgres, "SIGKILL");
    const killedAt = performance.now();
    const refusals: Refusal[] = [];
    await eventually("orders are served again", async () => {
      expect((await api.send({ method: "GET", path: "/api/v1/health" })).status).toBe(200);
      try {
        const created = await create(next);
        // The connections of a killed server still answer for a moment.
        return [null, postgres].includes(server.postgresPid()) ? null : created;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refusals.push(error);
        return null;
      }
    });
    expect(performance.now() - killedAt).toBeLessThan(BACK_WITHIN_MS);
    for (const { httpStatus, failure } of refusals)
      expect([httpStatus, failure.status]).toEqual([503, "ERR_SERVICE_UNAVAILABLE"]);
    expect(server.postgresPid()).not.toBe(postgres);
    await expectOrderKept(application, order);
    await proof.expectPaidOnce(await finish(api, devnet, order));
  });
});

describe("a second start on the same DATA_DIR", () => {
  it("fails with a message, and the first goes on", async () => {
    const { pid } = server;
    const { code, output, ms } = await server.secondStart();
    expect(code).toBeGreaterThan(0);
    expect(ms).toBeLessThan(SECOND_START_ENDS_WITHIN_MS);
    expect(output).toContain(`already running on the data folder ${server.dataDir} (process ${pid})`);
    const { order } = await openOrder();
    await devnet.pay(order.depositAddress, HALF_ETH);
    await proof.expectPaidOnce(await finish(api, devnet, order));
    expect(server.pid).toBe(pid);
  });
});

describe("SIGTERM", () => {
  it("answers what it has begun, closes sockets, ends its node and database and exits with 0", async () => {
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/api/v2/ws`);
    await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
    const closed = new Promise<number>((resolve) =>
      socket.addEventListener("close", ({ code }) => resolve(code), { once: true }),
    );
    const rate = await rateOf(api);
    const applications = Array.from({ length: CREATIONS_AT_ONCE }, () => ({
      body: bodyOf(rate),
      headers: { "idempotency-key": randomUUID() },
    }));
    const processes = [server.nodePid(), server.postgresPid()];
    expect(processes).not.toContain(null);

    const answers = applications.map(create);
    await Promise.race(answers);
    const code = await server.term();

    expect(code).toBe(0);
    expect([1001, 1012]).toContain(await closed);
    expect([server.nodePid(), server.postgresPid()]).toEqual([null, null]);
    const settled = await Promise.allSettled(answers);
    await server.restart();
    for (const [index, application] of applications.entries()) {
      const answer = settled[index];
      if (answer?.status === "fulfilled") expect(await create(application)).toEqual(answer.value);
      else expect(answer?.reason).toMatchObject({ httpStatus: 503 });
    }
  });
});

describe("after all of it", () => {
  it("no law of money is broken, and a violation would be noticed", async () => {
    expect(await proof.lawsBroken()).toEqual([]);
    const orderId = proof.forgetOne();
    expect(await proof.lawsBroken()).toContain(`order ${orderId} is completed and unpaid`);
  });
});

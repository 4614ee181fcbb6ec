import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isWherryWebhook, WherryClient } from "../../public/sdk/wherry.ts";
import { SANDBOX_BOT_TOKEN } from "../../server/config/telegram.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { eventually } from "../support/eventually.ts";
import { Api } from "../support/http/api.ts";
import { articleProgram } from "../support/partner-api/article-program.ts";
import { WebhookReceiver } from "../support/partner-api/webhook-receiver.ts";
import { ServerProcess } from "../support/processes/server-process.ts";
import { randomAddress } from "../support/scenarios/http-swap.ts";
import { launchData } from "../support/services/launch-data.ts";

const run = promisify(execFile);

let database: TestDatabase;
let server: ServerProcess;
let receiver: WebhookReceiver;
beforeAll(async () => {
  database = await freshDatabase({ max: 2 });
  server = await ServerProcess.start({ DATABASE_URL: database.url });
  receiver = await new WebhookReceiver().listen();
});
afterAll(async () => {
  await server.end();
  await receiver[Symbol.asyncDispose]();
  await database.drop();
});

test("an integrator swaps on a sandbox, hears of each step, and has earned the markup", async () => {
  const api = new Api(server.url);
  const key = await newKey(77);
  const client = new WherryClient({ ...key, origin: server.url });
  const slow = await rehearse(client, "slow");
  const failing = await rehearse(client, "partner-fails");
  const webhook = await client.createWebhook({ url: receiver.url });
  const pair = { instrumentFromSlug: "eth", instrumentToSlug: "usdt-erc20", claimedDepositAmount: "0.5" };
  const rate = await client.rate({ ...pair, markupBps: "100" });
  const { price, updatedAt, amountToGet: claimedAmountToReceive } = rate;
  const order = await client.createOrder(
    {
      ...pair,
      rateMode: "FLOATING",
      destinationAddress: randomAddress(),
      claimedPublicRate: { price, updatedAt, claimedAmountToReceive },
      markupBps: 100,
    },
    "key 1",
  );
  await api.call("sandboxPay", { body: { orderId: order.orderId } });

  const stateOf = (text: string) => (JSON.parse(text) as { data: { state: string } }).data.state;
  const isOfOrder = ({ text }: { text: string }) =>
    (JSON.parse(text) as { data: { orderId: string } }).data.orderId === order.orderId;
  const last = await eventually(
    "the last webhook",
    async () => receiver.taken.find((one) => isOfOrder(one) && stateOf(one.text) === "COMPLETED") ?? null,
    90_000,
  );
  expect(new Set(receiver.taken.filter(isOfOrder).map(({ text }) => stateOf(text)))).toEqual(
    new Set(["PENDING", "PROCESSING", "COMPLETED"]),
  );
  const signature = String(last.headers["x-wherry-signature"]);
  expect(await isWherryWebhook(webhook.secret, signature, last.text)).toBe(true);
  const [balance] = await client.balances();
  // 1 % of half an ETH in US dollars.
  const worth = Number(rate.marketLeftPrice) / 2 / 100;
  expect(Math.abs(Number(balance?.balance) / worth - 1)).toBeLessThan(0.05);
  const completed = (await client.orders({ state: "COMPLETED" })).items.map(({ orderId }) => orderId);
  expect(completed).toContain(order.orderId);

  await stateIs(client, failing, "COMPLETED");
  expect(await client.order(slow)).toMatchObject({ state: "PENDING", deposits: [] });
  await api.call("sandboxClock", { body: { advanceSeconds: 3_600 } });
  const waiting = await stateIs(client, slow, "INFO_NEEDED");
  expect(waiting.orderEvents.map(({ kind }) => kind)).toContain("FIXED_RATE_SLOW_DEPOSIT_DETECTED");
}, 150_000);

/** A key of the account that a Telegram user has. */
async function newKey(id: number) {
  const api = new Api(server.url);
  const user = JSON.stringify({ id, first_name: "Shop" });
  const initData = launchData(SANDBOX_BOT_TOKEN, { auth_date: `${Math.floor(Date.now() / 1_000)}`, user });
  const { accessToken } = await api.call("createByTelegram", { body: { initData } });
  const headers = { authorization: `Bearer ${accessToken}` };
  return api.call("generateApiKey", { headers, body: { name: "Shop", whiteListIp: "" } });
}

describe("the programs of the quick start", () => {
  const article = (locale: string) => `content/docs/${locale}/api-quick-start.md`;

  test("are the same in both languages", async () => {
    const blocks = async (locale: string) => (await readFile(article(locale), "utf8")).match(/^```[^]*?^```$/gm);
    expect(await blocks("ru")).toEqual(await blocks("en"));
  });

  test.each([
    [process.execPath, "swap.ts"],
    ["python3", "swap.py"],
    ["sh", "swap.sh"],
  ])(
    "%s %s ends with a finished swap",
    async (program, file) => {
      const folder = await mkdtemp(join(tmpdir(), "wherry-tutorial-"));
      onTestFinished(() => rm(folder, { recursive: true }));
      await writeFile(join(folder, file), await articleProgram("en", file));
      await writeFile(join(folder, "wherry.ts"), await (await fetch(`${server.url}/sdk/wherry.ts`)).text());
      const key = await newKey(78);
      const { stdout } = await run(program, [file], {
        cwd: folder,
        env: {
          ...process.env,
          WHERRY_ORIGIN: server.url,
          WHERRY_PUBLIC_KEY: key.publicKey,
          WHERRY_SECRET_KEY: key.secretKey,
          DESTINATION: randomAddress(),
        },
        timeout: 80_000,
      });
      expect(stdout).toMatch(/^0\.5 ETH pays [\d.]+ USDT\nsend to 0x\w{40}\n/);
      expect(stdout).toMatch(/COMPLETED\n$/);
    },
    90_000,
  );
});

/** An order that the sandbox pays so that it goes this way. */
async function rehearse(client: WherryClient, sandboxOutcome: "slow" | "partner-fails"): Promise<string> {
  const rateMode = sandboxOutcome === "slow" ? "FIXED" : "FLOATING";
  const pair = { instrumentFromSlug: "eth", instrumentToSlug: "usdc-erc20", claimedDepositAmount: "0.3" };
  const { price, updatedAt, amountToGet: claimedAmountToReceive } = await client.rate({ ...pair, rateMode });
  const order = {
    ...pair,
    rateMode,
    sandboxOutcome,
    markupBps: 0,
    destinationAddress: randomAddress(),
    refundAddress: randomAddress(),
    claimedPublicRate: { price, updatedAt, claimedAmountToReceive },
  } as const;
  return (await client.createOrder(order, sandboxOutcome)).orderId;
}

function stateIs(client: WherryClient, orderId: string, state: string) {
  return eventually(`an order that is ${state}`, async () => {
    const order = await client.order(orderId);
    return order.state === state ? order : null;
  });
}

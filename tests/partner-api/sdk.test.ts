import { execFile, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../scripts/lib/free-port.ts";
import { CLIENT_FILE, makeClient } from "../../scripts/lib/sdk/make-client.ts";
import { isWherryWebhook, WherryClient, WherryError } from "../../public/sdk/wherry.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { testApp, type TestApp } from "../support/http/http-app.ts";
import { partnerProgram, PartnerProgram, type PartnerKey } from "../support/http/partner-program.ts";
import { eventually } from "../support/eventually.ts";
import { articleProgram } from "../support/partner-api/article-program.ts";
import { createTestEngine } from "../support/scenarios/test-engine.ts";

const run = promisify(execFile);

let database: TestDatabase;
let app: TestApp;
let key: PartnerKey;
let origin: string;
beforeAll(async () => {
  database = await freshDatabase();
  const chain = new FakeChain();
  const { engine } = await createTestEngine({ database, reader: chain, wallet: chain });
  app = await testApp(database, { orderService: engine.orderService });
  ({ key } = await partnerProgram(app));
  origin = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

test("the client is what the contract makes: npm run sdk", async () => {
  expect(await readFile(CLIENT_FILE, "utf8")).toBe(await makeClient());
});

test("the client quotes, orders, lists and gets failures as they are", async () => {
  const client = new WherryClient({ ...key, origin });
  const pair = { instrumentFromSlug: "eth", instrumentToSlug: "usdt-erc20", claimedDepositAmount: "0.5" };
  const rate = await client.rate({ ...pair, markupBps: "50" });
  const order = await client.createOrder(
    {
      ...pair,
      rateMode: "FLOATING",
      destinationAddress: "destination",
      claimedPublicRate: {
        price: rate.price,
        updatedAt: rate.updatedAt,
        claimedAmountToReceive: rate.amountToGet,
      },
      markupBps: 50,
      externalId: "cart 1",
    },
    "key 1",
  );
  expect(order).toMatchObject({ state: "PENDING", externalId: "cart 1" });
  expect((await client.orders({ externalId: "cart 1" })).items).toMatchObject([{ orderId: order.orderId }]);
  expect(await client.order(order.orderId)).toMatchObject({ orderId: order.orderId });
  const refused: unknown = await client
    .rate({ ...pair, claimedDepositAmount: "0.0001" })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(WherryError);
  expect(refused).toMatchObject({
    httpStatus: 422,
    failure: { data: { reasons: [{ sourceAmountLimit: expect.any(String) }] } },
  });
});

test("the client and another program with its key may make an equal call in one millisecond", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  // Later than all that the client has signed.
  vi.setSystemTime(Date.now() + 1_000);
  const path = "/api/v2/partner/balances";
  const other = await new PartnerProgram(app, key).send("GET", path, { at: Date.now() });
  expect(other).toMatchObject({ http: 200 });
  expect(await new WherryClient({ ...key, origin }).balances()).toEqual(other.body);
});

test("the client knows a webhook of ours", async () => {
  const [body, now] = ['{"id":"1"}', 1_763_726_400_000];
  const hex = createHmac("sha256", "whs_1")
    .update(`${now / 1_000}.${body}`)
    .digest("hex");
  const header = `t=${now / 1_000},v1=${hex}`;
  expect(await isWherryWebhook("whs_1", header, body, now)).toBe(true);
  for (const [secret, given, text, at] of [
    ["whs_2", header, body, now],
    ["whs_1", header, `${body} `, now],
    ["whs_1", header, body, now + 301_000],
    ["whs_1", header.replace(/.$/, (last) => (last === "0" ? "1" : "0")), body, now],
    ["whs_1", "", body, now],
  ] as const)
    expect(await isWherryWebhook(secret, given, text, at)).toBe(false);
});

test("the quick start's receiver takes what is ours, by the client's types, and nothing else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "wherry-receiver-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const port = await freePort();
  const program = await articleProgram("en", "receiver.ts");
  await writeFile(join(folder, "receiver.ts"), program.replace("listen(8080)", `listen(${port})`));
  await copyFile(CLIENT_FILE, join(folder, "wherry.ts"));
  const env = { ...process.env, WHERRY_WEBHOOK_SECRET: "whs_1" };
  const receiver = spawn(process.execPath, ["receiver.ts"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void receiver.kill());
  let said = "";
  receiver.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  const send = async (event: object, secret = "whs_1") => {
    const body = JSON.stringify(event);
    const seconds = Math.floor(Date.now() / 1_000);
    const v1 = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
    const headers = { "x-wherry-signature": `t=${seconds},v1=${v1}` };
    const answer = await fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body }).catch(
      (error: unknown) => {
        // What fetch throws until the receiver listens.
        if (!(error instanceof TypeError)) throw error;
        return null;
      },
    );
    return answer?.status ?? null;
  };
  const updated = { id: "1", type: "order.updated", createdAt: "", data: { orderId: "ours", state: "COMPLETED" } };
  expect(await eventually("the receiver", () => send(updated))).toBe(204);
  expect(await send({ id: "2", type: "test", createdAt: "", data: {} })).toBe(204);
  expect(await send({ ...updated, data: { orderId: "forged", state: "COMPLETED" } }, "whs_2")).toBe(401);
  await eventually("what it says", () => (said === "" ? null : said));
  expect(said).toBe("ours COMPLETED\n");
});

test.each([
  ["python3", "docs/partner-example.py", /^[A-Za-z0-9]{22,} PENDING \S+\n$/],
  ["sh", "docs/partner-example.sh", /"amountToGet":.*\n.*"items":\[/],
])("the example for %s runs as it is published", async (program, file, expected) => {
  const { stdout } = await run(program, [file], {
    env: {
      ...process.env,
      WHERRY_ORIGIN: origin,
      WHERRY_PUBLIC_KEY: key.publicKey,
      WHERRY_SECRET_KEY: key.secretKey,
      DESTINATION: "destination",
    },
  });
  expect(stdout).toMatch(expected);
});

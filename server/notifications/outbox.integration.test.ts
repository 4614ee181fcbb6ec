import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { calls } from "#contract/calls.ts";
import { toMinor } from "#contract/money.ts";
import type { TestDatabase } from "../../tests/support/database/database.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../tests/support/scenarios/test-engine.ts";
import { eventually } from "../../tests/support/eventually.ts";
import { fakeChainSetup, mineAndSettleEach } from "../../tests/support/chains/fake-chain-setup.ts";
import type { FakeChain } from "../../tests/support/chains/fake-chain.ts";
import { testApp } from "../../tests/support/http/http-app.ts";
import { SmtpSink } from "../../tests/support/services/smtp-sink.ts";
import { createMailChannel } from "./mail/channel.ts";
import { createSandboxMailer, listSandboxMail, withSandboxCopy } from "./mail/sandbox-mailbox.ts";
import { readSmtpUrl } from "./mail/smtp-url.ts";
import { createSmtpMailer } from "./mail/smtp.ts";
import type { Mail, Mailer, DeliveryResult } from "./port.ts";
import { startNotifier } from "./notifier.ts";
import { sendDueMessages } from "./outbox-runner.ts";
import { abandonUnsendable } from "./outbox.ts";

const HALF_ETH = 5n * 10n ** 17n;
const EMAIL = "ann@example.com";
const client = { key: "test", traceId: "test" };
const running = new AbortController().signal;
const QUICK = { connectMs: 300, idleMs: 300, totalMs: 1_000 };
const context = {
  publicUrl: "https://wherry.test",
  nameOf: (slug: string) => ({ ticker: slug.toUpperCase(), network: "Ethereum", memo: null }),
};
const fixed = orderBody({
  rateMode: "FIXED",
  refundAddress: "refund",
  claimedPublicRate: { price: "2968", updatedAt: new Date().toISOString(), claimedAmountToReceive: "1484" },
  userEmail: EMAIL,
});

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;

beforeEach(async () => {
  ({ database, chain, testEngine } = await fakeChainSetup());
});
afterEach(() => database.drop());

const mineAndSettle = (blocks: number) => mineAndSettleEach({ chain, testEngine }, blocks);
const create = (changes: Parameters<typeof orderBody>[0] = {}) =>
  testEngine.engine.orderService.create(orderBody({ userEmail: EMAIL, ...changes }), client);
const topics = async () =>
  (await database.kysely.selectFrom("outbox").select("topic").orderBy("id").execute()).map(({ topic }) => topic);
const rows = () => database.kysely.selectFrom("outbox").selectAll().orderBy("id").execute();
const sendDue = (mailer: Mailer) =>
  sendDueMessages(
    { database, channels: new Map([["mail", createMailChannel(mailer, context)]]), log: database.log },
    running,
  );
/** Lets pauses and leases run out. */
const timePasses = () =>
  sql`update outbox set next_attempt_at = now() - interval '1 second' where next_attempt_at is not null`.execute(
    database.kysely,
  );

/** A mailer with scripted results that stores what it was given. */
class ScriptedMailer implements Mailer {
  readonly sent: Mail[] = [];
  results: (DeliveryResult | "die")[];
  constructor(...results: (DeliveryResult | "die")[]) {
    this.results = results;
  }
  async send(mail: Mail): Promise<DeliveryResult> {
    this.sent.push(mail);
    const result = this.results.shift() ?? { kind: "accepted" };
    return result === "die" ? new Promise<never>(() => undefined) : result;
  }
}

const refusedForNow = { kind: "refused", isFinal: false, reason: "451" } as const;
const unknown = { kind: "unknown", reason: "ETIMEDOUT" } as const;

describe("messages to a customer", () => {
  it("cover the order, its deposit and its payout, each once", async () => {
    const { depositAddress } = await create();
    expect(await topics()).toEqual(["created"]);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(8);
    expect(await topics()).toEqual(["created", "deposit_seen", "payout_completed"]);
    const payloads = (await rows()).map(({ payload }) => payload);
    expect(payloads[1]).toMatchObject({ received: { amount: "0.5", slug: "eth" }, confirmations: 3 });
    expect(payloads[2]).toMatchObject({ delivered: { amount: "1491.5", slug: "usdt-erc20" } });
  });

  it("are not stored for an order without an email", async () => {
    const { depositAddress } = await create({ userEmail: null });
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(8);
    expect(await topics()).toEqual([]);
  });

  it("are not repeated by a reorganisation, a repeated turn or a second engine", async () => {
    const { orderId, depositAddress } = await create();
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(2);
    chain.reorg(2, true);
    await testEngine.settle();
    await mineAndSettle(5);
    chain.reorg(1);
    const other = await createTestEngine({ database, reader: chain, wallet: chain, rates: testEngine.rates });
    await database.kysely
      .updateTable("orders")
      .set({ next_attempt_at: new Date(0) })
      .where("id", "=", orderId)
      .execute();
    await Promise.all([testEngine.settle(), other.settle()]);
    await mineAndSettle(5);
    expect(await topics()).toEqual(["created", "deposit_seen", "payout_completed"]);
  });

  it("name the choice, not also the deposit, when a fixed rate can't be honoured, and then the refund", async () => {
    const { orderId, depositAddress, destinationAddress } = await testEngine.engine.orderService.create(fixed, client);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(1);
    testEngine.rates.prices.set("eth", 2500n * 10n ** 18n);
    await mineAndSettle(3);
    expect(await topics()).toEqual(["created", "deposit_seen", "choice_needed"]);
    const { refundAmountWithoutNetworkFee, networkFee } = await testEngine.engine.orderService.refundInfo(orderId);
    const refund = {
      orderId,
      destinationAddress,
      refundAddress: "refund",
      refundAmount: refundAmountWithoutNetworkFee,
      claimedNetworkFee: networkFee,
    };
    await Promise.all([
      testEngine.engine.orderService.requestRefund(refund),
      testEngine.engine.orderService.requestRefund(refund),
    ]);
    await mineAndSettle(6);
    expect((await topics()).slice(3)).toEqual(["refund_requested", "refund_completed"]);
  });

  it("name only the choice when the deposit itself was late", async () => {
    const { depositAddress } = await testEngine.engine.orderService.create(fixed, client);
    const now = () => new Date(Date.now() + 3_600_000);
    const later = await createTestEngine({ database, reader: chain, wallet: chain, rates: testEngine.rates, now });
    chain.deposit(depositAddress, "eth", HALF_ETH);
    chain.mine();
    await later.settle();
    expect(await topics()).toEqual(["created", "choice_needed"]);
  });

  it("say once that the deposit is too small, however often the order is handled", async () => {
    testEngine.rates.priceClaim = boundedFrom(testEngine, 10n ** 17n);
    const { orderId, depositAddress } = await create();
    chain.deposit(depositAddress, "eth", 10n ** 16n);
    await mineAndSettle(4);
    await database.kysely
      .updateTable("orders")
      .set({ next_attempt_at: new Date(0) })
      .where("id", "=", orderId)
      .execute();
    await testEngine.settle();
    expect(await topics()).toEqual(["created", "deposit_seen", "under_minimum"]);
  });

  it("start when an email is added later, with the state of that time", async () => {
    const { orderId } = await create({ userEmail: null });
    await testEngine.engine.orderService.setEmail(orderId, EMAIL);
    await expect(testEngine.engine.orderService.setEmail(orderId, "eve@example.com")).rejects.toThrow();
    expect((await rows()).map(({ topic, payload }) => [topic, payload["isDepositAwaited"]])).toEqual([
      ["created", true],
    ]);

    const paid = await create({ userEmail: null });
    chain.deposit(paid.depositAddress, "eth", HALF_ETH);
    await mineAndSettle(1);
    await testEngine.engine.orderService.setEmail(paid.orderId, EMAIL);
    await mineAndSettle(6);
    const messages = (await rows()).filter(({ order_id }) => order_id === paid.orderId);
    expect(messages.map(({ topic, payload }) => [topic, payload["isDepositAwaited"]])).toEqual([
      ["created", false],
      ["payout_completed", undefined],
    ]);
  });

  it("contain no link, amount or transaction for an email that was set by the id alone, until it is confirmed", async () => {
    const { orderId, depositAddress } = await create({ userEmail: null });
    const { setEmail } = testEngine.engine.orderService;
    const mailer = new ScriptedMailer();
    await setEmail(orderId, EMAIL);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(2);
    await sendDue(mailer);
    expect(mailer.sent).toHaveLength(2);
    for (const { subject, text, html } of mailer.sent)
      expect(subject + text + html.replace(/style="[^"]*"/g, "")).not.toMatch(/http|destination|[0-9]\.[0-9]/);

    await setEmail(orderId, EMAIL, "destination");
    await mineAndSettle(6);
    await sendDue(mailer);
    expect(await topics()).toEqual(["created", "deposit_seen", "created", "payout_completed"]);
    const link = `https://wherry.test/order/${orderId}?destinationAddress=destination`;
    for (const { text } of mailer.sent.slice(2)) expect(text).toContain(link);
    expect(mailer.sent.at(-1)?.text).toContain("Transaction:");
  });

  it("are not stored when the transaction fails", async () => {
    const probe = {
      beforeCommit: () => {
        throw new Error("the process dies");
      },
      afterCommit: () => undefined,
    };
    const dying = await createTestEngine({ database, reader: chain, wallet: chain, rates: testEngine.rates, probe });
    await expect(dying.engine.orderService.create(orderBody({ userEmail: EMAIL }), client)).rejects.toThrow("dies");
    expect(await topics()).toEqual([]);
  });

  it("contain neither the email nor the order's id", async () => {
    const { orderId } = await create();
    const stored = JSON.stringify((await rows()).map(({ payload }) => payload));
    expect(stored).not.toContain(orderId);
    expect(stored).not.toContain(EMAIL);
  });
});

describe("the outbox", () => {
  it.each([
    ["ru", "Заявка", "/ru/order/"],
    ["en", "Order", "/order/"],
    ["xx", "Order", "/order/"],
  ])("writes in the order's language: %s", async (locale, word, path) => {
    const { reference } = await create({ locale });
    const mailer = new ScriptedMailer();
    await sendDue(mailer);
    expect(mailer.sent[0]).toMatchObject({ to: EMAIL, subject: expect.stringContaining(`${word} ${reference}`) });
    expect(mailer.sent[0]?.text).toContain(`https://wherry.test${path}`);
  });

  it("links to the own address, whatever host the order was made on", async () => {
    await using app = await testApp(database, {
      orderService: testEngine.engine.orderService,
      catalogue: testEngine.catalogue,
      config: { publicUrl: context.publicUrl },
    });
    const made = await app.inject({
      method: calls.createOrder.method,
      url: calls.createOrder.path,
      headers: { host: "evil.test", "x-forwarded-host": "evil.test", "x-forwarded-proto": "http" },
      payload: orderBody({ userEmail: EMAIL, locale: "ru" }),
    });
    expect(made.statusCode).toBe(200);
    const mailer = new ScriptedMailer();
    await sendDue(mailer);
    expect(mailer.sent).toHaveLength(1);
    expect(JSON.stringify(mailer.sent)).not.toContain("evil");
    expect(mailer.sent[0]?.text).toContain("https://wherry.test/ru/order/");
  });

  it("sends each mail once with two job runners", async () => {
    for (let order = 0; order < 12; order += 1) await create();
    const mailer = new ScriptedMailer();
    const work = async () => {
      while (await sendDue(mailer));
    };
    await Promise.all([work(), work()]);
    await work();
    expect(mailer.sent).toHaveLength(12);
    expect(new Set(mailer.sent.map(({ messageId }) => messageId)).size).toBe(12);
    await timePasses();
    await sendDue(mailer);
    expect(mailer.sent).toHaveLength(12);
  });

  it("leases each row to one of two concurrent job runners", async () => {
    await create();
    const mailer = new ScriptedMailer();
    const holder = await database.pool.connect();
    await holder.query("begin; select id from outbox for update");
    let isOver = false;
    const both = Promise.all([sendDue(mailer), sendDue(mailer)]).finally(() => {
      isOver = true;
    });
    await eventually("both are waiting", async () => (isOver || (await waitingForLocks()) === 2 ? true : null));
    await holder.query("commit");
    holder.release();
    await both;
    await sendDue(mailer);
    expect(mailer.sent).toHaveLength(1);
  });

  it("repeats once a mail that a crashed process may have sent, with the same id", async () => {
    await create();
    const mailer = new ScriptedMailer("die", "die", "die");
    for (let life = 0; life < 4; life += 1) {
      void sendDue(mailer);
      await untilClaimed(life + 1);
      await sendDue(mailer);
      await timePasses();
    }
    expect(mailer.sent).toHaveLength(2);
    expect(new Set(mailer.sent.map(({ messageId }) => messageId)).size).toBe(1);
    expect(await rows()).toMatchObject([{ state: "dead", last_failure: "sent twice without a known result" }]);
  });

  it("repeats an unknown result once", async () => {
    await create();
    const mailer = new ScriptedMailer(unknown, unknown);
    for (let turn = 0; turn < 4; turn += 1) {
      await sendDue(mailer);
      await timePasses();
    }
    expect(mailer.sent).toHaveLength(2);
    expect(await rows()).toMatchObject([{ state: "dead", unknown_results: 2 }]);
  });

  it("does not count a refusal as an unknown result", async () => {
    await create();
    const mailer = new ScriptedMailer(refusedForNow, refusedForNow, unknown, refusedForNow);
    for (let turn = 0; turn < 5; turn += 1) {
      await sendDue(mailer);
      await timePasses();
    }
    expect(await rows()).toMatchObject([{ state: "sent", attempts: 5 }]);
  });

  it("abandons a message after its last attempt, or at once when refused for good, and leaves the order unchanged", async () => {
    const { orderId } = await create();
    const before = await testEngine.engine.orderService.info(orderId, "destination");
    const mailer = new ScriptedMailer(...Array.from({ length: 20 }, () => refusedForNow));
    for (let turn = 0; turn < 22; turn += 1) {
      await sendDue(mailer);
      await timePasses();
    }
    expect(mailer.sent).toHaveLength(20);
    expect(await rows()).toMatchObject([{ state: "dead", last_failure: "451", unknown_results: 0 }]);

    await create();
    await sendDue(new ScriptedMailer({ kind: "refused", isFinal: true, reason: "550" }));
    expect((await rows())[1]).toMatchObject({ state: "dead", attempts: 1 });
    expect(await testEngine.engine.orderService.info(orderId, "destination")).toEqual(before);
  });

  it("drops a request that the customer has already followed", async () => {
    const { orderId, depositAddress, destinationAddress, reference } = await testEngine.engine.orderService.create(
      fixed,
      client,
    );
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await mineAndSettle(1);
    testEngine.rates.prices.set("eth", 2500n * 10n ** 18n);
    await mineAndSettle(3);
    await testEngine.engine.orderService.acceptRateModeChange({ orderId, destinationAddress });
    await mineAndSettle(6);
    const mailer = new ScriptedMailer();
    await sendDue(mailer);
    expect(await topics()).toEqual(["created", "deposit_seen", "choice_needed", "payout_completed"]);
    expect(mailer.sent).toHaveLength(3);
    expect(mailer.sent.map(({ subject }) => subject)).toContain(`Order ${reference}`);
    expect(mailer.sent.some(({ text }) => /Send exactly|Accept the new rate/.test(text))).toBe(false);
    expect((await rows())[2]).toMatchObject({ state: "dead", last_failure: "outdated" });
  });

  it("sends nothing that is a day old", async () => {
    await create();
    await sql`update outbox set created_at = now() - interval '25 hours'`.execute(database.kysely);
    const mailer = new ScriptedMailer();
    await sendDue(mailer);
    expect(mailer.sent).toEqual([]);
    expect(await rows()).toMatchObject([{ state: "dead", last_failure: "older than a day" }]);
  });

  it("catches up when the mail server is back", async () => {
    await create();
    const sink = await new SmtpSink({ user: "bob", pass: "right" }).start();
    await sink.stop();
    const at = (login: string) =>
      createSmtpMailer(readSmtpUrl(`smtp://${login}@127.0.0.1:${sink.port}`, context.publicUrl), QUICK);
    await sendDue(at("bob:right"));
    await timePasses();
    await sink.start();
    await sendDue(at("bob:wrong"));
    await timePasses();
    sink.replies = [451];
    await sendDue(at("bob:right"));
    expect(await rows()).toMatchObject([{ state: "pending", attempts: 3, unknown_results: 0 }]);
    await timePasses();
    await sendDue(at("bob:right"));
    await timePasses();
    await sendDue(at("bob:right"));
    await sink.stop();
    expect(sink.caught).toMatchObject([{ to: [EMAIL] }]);
    expect(await rows()).toMatchObject([{ state: "sent", attempts: 4, last_failure: null }]);
  });
});

describe("the sandbox's mailbox", () => {
  it("lists sent mail, newest first, each mail once", async () => {
    const first = await create({ locale: "ru" });
    const mailer = createSandboxMailer(database);
    await sendDue(mailer);
    await sql`update outbox set state = 'pending', sent_at = null, next_attempt_at = now()`.execute(database.kysely);
    await sendDue(mailer);
    const second = await create();
    await sendDue(mailer);
    expect(await listSandboxMail(database)).toMatchObject([
      { to: EMAIL, locale: "en", orderId: second.orderId },
      { to: EMAIL, locale: "ru", orderId: first.orderId, subject: expect.stringContaining("Заявка") },
    ]);
  });

  it("has a copy of what was really sent, and only of that", async () => {
    await create();
    const mailer = withSandboxCopy(new ScriptedMailer(refusedForNow), database, database.log);
    await sendDue(mailer);
    expect(await listSandboxMail(database)).toEqual([]);
    await timePasses();
    await sendDue(mailer);
    expect(await listSandboxMail(database)).toHaveLength(1);
  });
});

describe("a message of a channel that no worker has", () => {
  const channelsOfWorker = ["push"] as const;

  it("is abandoned after a day, so that its order can end", async () => {
    await create();
    expect(await abandonUnsendable(database, channelsOfWorker)).toBe(0);
    await sql`update outbox set created_at = now() - interval '25 hours'`.execute(database.kysely);
    expect(await abandonUnsendable(database, ["mail"])).toBe(0);
    expect(await abandonUnsendable(database, channelsOfWorker)).toBe(1);
    expect(await rows()).toMatchObject([
      { state: "dead", next_attempt_at: null, last_failure: "no worker has the channel" },
    ]);
  });

  it("is dropped by a worker that has no channel at all", async () => {
    await create();
    await sql`update outbox set created_at = now() - interval '25 hours'`.execute(database.kysely);
    const config = {
      smtpUrl: null,
      telegram: { botToken: null, apiUrl: "http://127.0.0.1:9" },
      sandbox: false,
      publicUrl: context.publicUrl,
      firstMails: null,
    };
    const catalogue = { instruments: new Map() };
    const notifier = startNotifier({ database, catalogue, config, push: null, log: database.log });
    await eventually(
      "the message is given up",
      async () => (await rows()).every(({ state }) => state === "dead") || null,
    );
    await notifier.stop();
  });
});

/** Waits until the row has been leased so often, or is abandoned. */
const untilClaimed = (times: number) =>
  eventually("the row is claimed", async () => {
    const [row] = await rows();
    return row !== undefined && (row.attempts >= times || row.state === "dead") ? row : null;
  });

async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database.kysely);
  return rows[0]?.waiting ?? 0;
}

/** Orders whose smallest amount is `min`. */
function boundedFrom({ rates }: TestEngine, min: bigint): TestEngine["rates"]["priceClaim"] {
  const priceClaim = rates.priceClaim.bind(rates);
  return async (given) => {
    const priced = await priceClaim(given);
    return { ...priced, bounds: { ...priced.bounds, min: toMinor(min) } };
  };
}

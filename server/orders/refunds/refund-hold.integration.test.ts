import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreateOrderBody } from "#contract/order.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import {
  askForRefund,
  createTestEngine,
  kindsOf,
  orderBody,
  type TestEngine,
} from "../../../tests/support/scenarios/test-engine.ts";
import { createMailChannel } from "../../notifications/mail/channel.ts";
import { sendDueMessages } from "../../notifications/outbox-runner.ts";
import type { Mail } from "../../notifications/port.ts";
import { runHeldCommand } from "../../treasury/operator/held-commands.ts";
import { runRefundCommand } from "./operator.ts";

const HALF_ETH = 5n * 10n ** 17n;
const DELAY = 600;
const EMAIL = "ann@example.com";
const client = { key: "c", traceId: "t" };
let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;
let passed: number;
let mails: Mail[];

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  passed = 0;
  mails = [];
  const now = () => new Date(Date.now() + passed * 1000);
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain, now });
  await testEngine.settle();
});
afterEach(() => database.drop());

const mine = async (blocks = 1) => {
  for (let mined = 0; mined < blocks; mined += 1) {
    chain.mine();
    await testEngine.settle();
  }
};
/** A paid order whose customer has asked for a refund to "new" before its deposit is confirmed. */
async function refundedOrder(changes: Partial<CreateOrderBody> = {}, prepare?: (orderId: string) => Promise<unknown>) {
  const order = await testEngine.engine.orderService.create(orderBody(changes), client);
  await prepare?.(order.orderId);
  chain.deposit(order.depositAddress, "eth", HALF_ETH);
  await mine(1);
  await askForRefund(testEngine, order);
  return order;
}
const info = (orderId: string) => testEngine.engine.orderService.info(orderId, "destination");
const refunds = (to = "new") => chain.received(to, "eth");
const less = (fee: bigint) => [HALF_ETH - fee];
async function sendMail(): Promise<void> {
  const context = {
    publicUrl: "https://wherry.test",
    nameOf: (slug: string) => ({ ticker: slug, network: "Ethereum", memo: null }),
  };
  const mailer = {
    send: async (mail: Mail) => {
      mails.push(mail);
      return { kind: "accepted" } as const;
    },
  };
  const channels = new Map([["mail", createMailChannel(mailer, context)] as const]);
  await sendDueMessages({ database, channels, log: database.log }, new AbortController().signal);
}
/** The id and the token of the last mail's link. */
function stopLink(): { orderId: string; token: string } {
  const link = /https:\S+stop-refund#(\S+)/.exec(mails.at(-1)?.text ?? "")?.[1] ?? "";
  const given = new URLSearchParams(link);
  return { orderId: given.get("orderId") ?? "", token: given.get("token") ?? "" };
}
const admin = async (...words: string[]) => {
  const parts = { database, catalogue: testEngine.catalogue, isRegtest: true };
  return (await runRefundCommand(parts, words)) ?? runHeldCommand(parts, words);
};

describe("a refund to an address that was not given at creation", () => {
  it("waits where the owner has an email, says until when, and is then paid", async () => {
    const { orderId } = await refundedOrder({ userEmail: EMAIL });
    const until = new Date((await info(orderId)).review?.until ?? 0).getTime();
    expect(until - Date.now()).toBeGreaterThan((DELAY - 60) * 1000);
    await mine(4);
    expect((await info(orderId)).review).toMatchObject({ reason: "REFUND_DELAYED", needed: "TIME" });
    const row = await database.kysely.selectFrom("orders").select("next_attempt_at").executeTakeFirstOrThrow();
    // It becomes due by itself, without a block.
    expect(Math.abs((row.next_attempt_at?.getTime() ?? 0) - until)).toBeLessThan(5_000);
    expect(refunds()).toEqual([]);
    passed = DELAY + 1;
    await mine(3);
    expect(refunds()).toEqual(less(testEngine.rates.fee));
    expect(kindsOf(await info(orderId)).slice(-2)).toEqual(["REFUND_REQUESTED", "REFUND_COMPLETED"]);
    expect((await info(orderId)).review).toBeNull();
  });

  it.each([
    ["has neither email, Telegram nor push", {}, undefined],
    [
      "has only an email that was set by the id alone",
      {},
      (orderId: string) => testEngine.engine.orderService.setEmail(orderId, "eve@example.com"),
    ],
    ["gave the address at creation", { userEmail: EMAIL, refundAddress: "new" }, undefined],
  ])("does not wait where the owner %s", async (_, changes, prepare) => {
    const { orderId } = await refundedOrder(changes, prepare);
    await mine(5);
    expect(refunds()).toEqual(less(testEngine.rates.fee));
    expect((await info(orderId)).review).toBeNull();
  });

  it.each([
    [
      "an email is confirmed",
      (orderId: string) => testEngine.engine.orderService.setEmail(orderId, EMAIL, "destination"),
    ],
    [
      "a browser has subscribed",
      (orderId: string) =>
        database.kysely
          .insertInto("push_subscriptions")
          .values({ order_id: orderId, endpoint: "https://push.test/1", p256dh: "p", auth: "a", locale: "en" })
          .execute(),
    ],
    [
      "it was made in Telegram",
      async (orderId: string) => {
        const user = database.kysely.insertInto("users").values({ telegram_id: 77n }).returning("id");
        const { id } = await user.executeTakeFirstOrThrow();
        await database.kysely.updateTable("orders").set({ user_id: id }).where("id", "=", orderId).execute();
      },
    ],
  ])("waits where %s", async (_, prepare) => {
    await refundedOrder({}, prepare);
    await mine(5);
    expect(refunds()).toEqual([]);
    passed = DELAY + 1;
    await mine(3);
    expect(refunds()).toHaveLength(1);
  });
});

describe("stopping a refund", () => {
  it("takes the token of the message alone, puts the order in review, and answers a repeat alike", async () => {
    const { orderId, reference } = await refundedOrder({ userEmail: EMAIL, locale: "ru" });
    await sendMail();
    const link = stopLink();
    expect(mails.at(-1)?.text).toContain("https://wherry.test/ru/stop-refund#");
    expect(link.orderId).toBe(orderId);
    expect(Buffer.from(link.token, "base64url").length).toBeGreaterThanOrEqual(16);
    const { stopRefund } = testEngine.engine.orderService;
    const unknown = { code: "ERR_NOT_FOUND_E" };
    await expect(stopRefund(orderId, `${link.token}x`)).rejects.toMatchObject(unknown);
    const other = await refundedOrder({ userEmail: EMAIL });
    await expect(stopRefund(other.orderId, link.token)).rejects.toMatchObject(unknown);
    await expect(stopRefund("A".repeat(24), link.token)).rejects.toMatchObject(unknown);

    const answer = { orderId, reference, isStopped: true };
    const answers = await Promise.all([stopRefund(orderId, link.token), stopRefund(orderId, link.token)]);
    expect([...answers, await stopRefund(orderId, link.token)]).toEqual([answer, answer, answer]);
    passed = 100 * DELAY;
    await mine(5);
    expect(refunds()).toHaveLength(1);
    expect((await info(orderId)).review).toEqual({ reason: "REFUND_STOPPED", needed: "OPERATOR", until: null });
    expect(await admin("held")).toMatch(new RegExp(`^refund ${reference} {2}refund_stopped`, "m"));
  });

  it("is too late once the refund is on its way", async () => {
    const { orderId } = await refundedOrder({ userEmail: EMAIL });
    await sendMail();
    passed = DELAY + 1;
    await mine(4);
    const late = testEngine.engine.orderService.stopRefund(orderId, stopLink().token);
    await expect(late).rejects.toMatchObject({ code: "ERR_UNPROCESSABLE_ENTITY" });
    expect(refunds()).toHaveLength(1);
  });

  it("stores a hash of each token and sends none to an email that is not confirmed", async () => {
    const { orderId } = await refundedOrder({ userEmail: EMAIL });
    await sendMail();
    const { token } = stopLink();
    for (const table of ["refund_stop_tokens", "outbox", "orders", "order_events"] as const) {
      const rows = await database.kysely.selectFrom(table).selectAll().execute();
      expect(JSON.stringify(rows, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one))).not.toContain(
        token,
      );
    }
    await database.kysely.updateTable("orders").set({ is_email_confirmed: false }).where("id", "=", orderId).execute();
    await database.kysely
      .updateTable("outbox")
      .set({ state: "pending", sent_at: null, next_attempt_at: new Date(0) })
      .execute();
    mails = [];
    await sendMail();
    expect(mails.length).toBeGreaterThan(0);
    for (const { text } of mails) expect(text).not.toContain("http");
  });

  it.each([
    ["the address that was asked for", [], "new"],
    [
      "another one",
      ["--to", "0x52908400098527886E0F7030069857D2E4169EE7"],
      "0x52908400098527886E0F7030069857D2E4169EE7",
    ],
  ])("ends with an operator's release to %s", async (_, options, to) => {
    const { orderId, reference } = await refundedOrder({ userEmail: EMAIL });
    await sendMail();
    await testEngine.engine.orderService.stopRefund(orderId, stopLink().token);
    await mine(4);
    const release = ["refund", "release", reference, "settled", "with", "the", "customer", "--as", "ann", ...options];
    expect(await admin(...release)).toContain("release, by ann");
    await expect(admin(...release)).rejects.toThrow("released already");
    await mine(3);
    expect(refunds(to)).toEqual(less(testEngine.rates.fee));
    expect((await info(orderId)).status).toBe("REFUND_COMPLETED");
    expect(await admin("held")).toBe("nothing is held");
    await expect(admin(...release)).rejects.toThrow(`No refund of order ${reference} is stopped.`);
    const actions = await database.kysely.selectFrom("operator_actions").selectAll().execute();
    expect(actions).toMatchObject([{ action: "refund release", subject: `refund ${reference}` }]);
    // The security log writes its columns.
    expect(`${actions[0]?.subject} ${actions[0]?.reason}`).not.toContain(orderId);
  });
});

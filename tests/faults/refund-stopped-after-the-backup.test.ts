import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabase, type Database } from "../../server/db/database.ts";
import { createMailChannel } from "../../server/notifications/mail/channel.ts";
import { sendDueMessages } from "../../server/notifications/outbox-runner.ts";
import type { Mail } from "../../server/notifications/port.ts";
import { listHeld } from "../../server/treasury/operator/held.ts";
import { FakeChain } from "../support/chains/fake-chain.ts";
import { freshDatabase, type TestDatabase } from "../support/database/database.ts";
import { makeDue } from "../support/database/due-rows.ts";
import { restoreSavedBackup, saveRows } from "../support/database/saved-rows.ts";
import {
  askForRefund,
  createTestEngine,
  kindsOf,
  orderBody,
  type TestEngine,
} from "../support/scenarios/test-engine.ts";

const DELAY = 600;
const HALF_ETH = 5n * 10n ** 17n;

let database: TestDatabase;
let own: Database;
let chain: FakeChain;
let engine: TestEngine;
let passed: number;
let mails: Mail[];

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  passed = 0;
  mails = [];
  await start();
});
afterEach(async () => {
  await own.close();
  await database.drop();
});

async function start(): Promise<void> {
  own = openDatabase(database.url, { max: 4, log: database.log, applicationName: "the worker" });
  const now = () => new Date(Date.now() + passed * 1000);
  engine = await createTestEngine({ database: own, reader: chain, wallet: chain, now });
  await engine.settle();
}
async function mine(blocks: number): Promise<void> {
  for (let mined = 0; mined < blocks; mined += 1) {
    chain.mine();
    await makeDue(own, "orders", "payouts");
    await engine.settle();
  }
}
async function sendMails(): Promise<void> {
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
  await sendDueMessages({ database: own, channels, log: database.log }, new AbortController().signal);
}
/** Stops the refund by the link of the last mail. */
const stopByMail = () => {
  const link = new URLSearchParams(/https:\S+stop-refund#(\S+)/.exec(mails.at(-1)?.text ?? "")?.[1] ?? "");
  return engine.engine.orderService.stopRefund(link.get("orderId") ?? "", link.get("token") ?? "");
};

/** An order whose refund to a new address waits, of which its owner was notified; the backup is of then. */
async function restoredAfter(since: () => Promise<unknown>, seconds: number): Promise<string> {
  const body = orderBody({ userEmail: "ann@example.com" });
  const order = await engine.engine.orderService.create(body, { key: "c", traceId: "t" });
  chain.deposit(order.depositAddress, "eth", HALF_ETH);
  await mine(1);
  await askForRefund(engine, order, "thief");
  await mine(4);
  await sendMails();
  const saved = await saveRows(database.url);
  await since();
  await own.close();
  await restoreSavedBackup(database, saved);
  passed = seconds;
  await start();
  await mine(10);
  return order.orderId;
}
const view = (orderId: string) => engine.engine.orderService.info(orderId, "destination");

it("a refund that its owner stopped after the backup waits anew, with a new message by which it is stopped again", async () => {
  const orderId = await restoredAfter(async () => {
    passed = 60;
    expect(await stopByMail()).toMatchObject({ isStopped: true });
  }, DELAY + 100);
  expect(chain.received("thief", "eth")).toEqual([]);
  const { review } = await view(orderId);
  expect(review).toMatchObject({ reason: "REFUND_DELAYED", needed: "TIME" });
  expect(new Date(review?.until ?? 0).getTime() - Date.now()).toBeGreaterThan((passed + DELAY - 60) * 1000);

  const before = mails.length;
  await sendMails();
  expect(mails).toHaveLength(before + 1);
  expect(await stopByMail()).toMatchObject({ isStopped: true });
  passed += DELAY + 1;
  await mine(10);
  expect(chain.received("thief", "eth")).toEqual([]);
  expect(await listHeld(own)).toMatchObject([{ reason: "refund_stopped" }]);
});

it("one that nobody stops is paid once its second wait is over, and its events are those of any refund", async () => {
  const orderId = await restoredAfter(async () => undefined, DELAY - 10);
  passed = DELAY + 100;
  await mine(4);
  expect(chain.received("thief", "eth")).toEqual([]);
  passed += DELAY;
  await mine(10);
  expect(chain.received("thief", "eth")).toHaveLength(1);
  const kinds = kindsOf(await view(orderId));
  expect(kinds.slice(-2)).toEqual(["REFUND_REQUESTED", "REFUND_COMPLETED"]);
  expect(kinds.filter((kind) => kind === "REFUND_REQUESTED")).toHaveLength(1);
});

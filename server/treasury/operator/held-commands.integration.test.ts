import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { violations } from "../../../tests/support/checkers/checkers.ts";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database/database.ts";
import { makeDue } from "../../../tests/support/database/due-rows.ts";
import { FakeChain } from "../../../tests/support/chains/fake-chain.ts";
import { createTestEngine, orderBody, type TestEngine } from "../../../tests/support/scenarios/test-engine.ts";
import { createLog } from "../../base/logging/log.ts";
import { PaymentRefusedError } from "../../chains/port.ts";
import { followedPayments } from "../payouts/followed-payments.ts";
import { runHeldCommand } from "./held-commands.ts";
import { openBooks } from "../ledger/ledger.ts";
import { OperatorError } from "../../admin/audit.ts";
import { runRecoveryCommand } from "./recovery-commands.ts";
import { createReconciler } from "../balances/reconciler.ts";

const HALF_ETH = 5n * 10n ** 17n;
const FULL = 1_491_500_000n;
const FEE = 1_000_000n;
const REFUND_ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";
const HOT_BALANCE = 10_000_000_000n;

let database: TestDatabase;
let chain: FakeChain;
let testEngine: TestEngine;

beforeEach(async () => {
  database = await freshDatabase();
  chain = new FakeChain();
  chain.mine(2);
  testEngine = await createTestEngine({ database, reader: chain, wallet: chain });
  await testEngine.settle();
});
afterEach(async () => {
  const view = {
    // Payments of the order; a deposit that is sent back is none.
    delivered: async () => [...chain.received("destination", "usdt-erc20"), ...chain.received(REFUND_ADDRESS, "eth")],
    isDeep: async (txId: string, confirmations: number) => {
      const found = await chain.lookup(txId);
      return found.kind === "mined" && chain.tip.height - found.height + 1 >= confirmations;
    },
  };
  expect(await violations(database, view, 3)).toEqual([]);
  await database.drop();
});

const say = (text: string) =>
  runHeldCommand({ database, catalogue: testEngine.catalogue, isRegtest: true }, text.split(" "));
const audit = () =>
  database.kysely.selectFrom("operator_actions").select(["operator", "action", "subject", "reason"]).execute();
const payout = () =>
  database.kysely.selectFrom("payouts").select(["id", "state", "purpose", "review_reason"]).executeTakeFirstOrThrow();
const status = async (orderId: string) => (await testEngine.engine.orderService.info(orderId, "destination")).status;

const release = (scope: string) =>
  testEngine.switches.release({ action: "pay", scope, direction: "both" }, { name: "cay", reason: "over" });

async function order(): Promise<{ orderId: string; depositAddress: string }> {
  return testEngine.engine.orderService.create(orderBody(), { key: "test", traceId: "test" });
}
async function blocks(count: number): Promise<void> {
  for (let mined = 0; mined < count; mined += 1) {
    chain.mine();
    await makeDue(database, "payouts");
    await testEngine.engine.refundDeposits();
    await testEngine.settle();
  }
}

describe("a payout that its destination refuses", () => {
  let orderId: string;

  beforeEach(async () => {
    chain.failing.set("destination", new PaymentRefusedError("destination_reverts", "execution reverted"));
    const made = await order();
    ({ orderId } = made);
    chain.deposit(made.depositAddress, "eth", HALF_ETH);
    await blocks(4);
    expect(await payout()).toMatchObject({ state: "review", review_reason: "destination_reverts" });
  });

  it("is listed with its reason", async () => {
    expect(await say("held")).toMatch(
      /^payout 1 {2}destination_reverts {2}for 0 min {2}\(payout of 1491\.5 usdt-erc20, order \w+, .*execution reverted/,
    );
  });

  it("is named beside an unknown payment that it may be, as is any where nobody sees whom that one pays", async () => {
    const listed = async (pays: string | null) => {
      await database.pool.query(
        `insert into unknown_payments (network, tx_id, height, pays, found_at) values ('ETH', '0xabc', 7, $1, now())
         on conflict (network, tx_id) do update set pays = excluded.pays`,
        [pays],
      );
      return runRecoveryCommand(database, testEngine.catalogue, ["unknown-payments"]);
    };
    const paid = (amount: bigint) =>
      JSON.stringify([{ to: "destination", slug: "usdt-erc20", amount: amount.toString() }]);
    expect(await listed(paid(FULL))).toContain(`(may be payment 1 of order ${orderId})`);
    expect(await listed(null)).toContain(`(may be payment 1 of order ${orderId})`);
    expect(await listed(paid(FULL - 1n))).toContain(
      `(may be payment 1 of order ${orderId}, which owes 1491.5 usdt-erc20)`,
    );
    await database.pool.query("delete from unknown_payments");
  });

  it("becomes a refund of the deposit, and nothing is paid out", async () => {
    await expect(say("payout refund 1 it reverts --as ann")).rejects.toThrow("--to ADDRESS");
    await expect(say("payout refund 1 it reverts --as ann --to nowhere")).rejects.toThrow("no address of ETH");
    await say(`payout refund 1 it reverts --as ann --to ${REFUND_ADDRESS}`);
    await blocks(6);
    expect(chain.received(REFUND_ADDRESS, "eth")).toEqual([HALF_ETH - FEE]);
    expect(chain.received("destination", "usdt-erc20")).toEqual([]);
    expect(await payout()).toMatchObject({ state: "final", purpose: "refund" });
    expect(await status(orderId)).toBe("REFUND_COMPLETED");
    expect(await audit()).toEqual([
      { operator: "ann", action: "payout refund", subject: "payout 1", reason: "it reverts" },
    ]);
  });

  it("is not let go as it was, since it would come back at once: what leads on is named", async () => {
    await expect(say("payout release 1 let it go --as ann")).rejects.toThrow(
      /held as destination_reverts.*"payout retry 1" signs it, otherwise "payout refund 1"/,
    );
    expect(await payout()).toMatchObject({ state: "review", review_reason: "destination_reverts" });
    expect(await audit()).toEqual([]);
  });

  it("is signed again once its destination accepts it", async () => {
    chain.failing.clear();
    await say("payout retry 1 the list was wrong --as ann");
    await blocks(5);
    expect(chain.received("destination", "usdt-erc20")).toEqual([FULL]);
    await expect(say("payout retry 1 again --as ann")).rejects.toThrow("is final, not in review");
  });

  it.each([
    ["payout retry 1 why", "--as NAME"],
    ["payout retry 1 --as ann", "Give a reason"],
    ["payout retry 9 why --as ann", "no payment 9"],
    ["payout", "payout retry <id>"],
    ["payout lose 1 why --as ann", "npm run admin -- held"],
  ])("stays as it is after %s", async (text, answer) => {
    await expect(say(text)).rejects.toThrow(answer);
    await expect(say(text)).rejects.toBeInstanceOf(OperatorError);
    expect(await payout()).toMatchObject({ state: "review" });
    expect(await audit()).toEqual([]);
  });
});

it("a payout that may still reach the chain is neither signed again nor refunded, and is sent again on command", async () => {
  Object.defineProperty(chain, "prepareCancellation", { value: undefined });
  const { depositAddress } = await order();
  chain.deposit(depositAddress, "eth", HALF_ETH);
  chain.refuses = true;
  for (let turn = 0; turn < 10; turn += 1) {
    await database.kysely.updateTable("payouts").set({ resend_at: null }).execute();
    await blocks(1);
  }
  expect(await payout()).toMatchObject({ state: "review", review_reason: "broadcast_refused" });
  await expect(say("payout retry 1 why --as ann")).rejects.toThrow("not provably dead");
  await expect(say(`payout refund 1 why --as ann --to ${REFUND_ADDRESS}`)).rejects.toThrow("not provably dead");
  chain.refuses = false;
  await say("payout release 1 the node was wrong --as ann");
  await blocks(5);
  expect(chain.received("destination", "usdt-erc20")).toEqual([FULL]);
});

it("a payout whose nonce an empty payment has taken is neither signed again nor refunded while that block may be undone", async () => {
  const { depositAddress } = await order();
  chain.deposit(depositAddress, "eth", HALF_ETH);
  chain.refuses = true;
  const isTaken = () =>
    chain.blocks.some(({ transactions }) =>
      transactions.some((one) => one.from === "hot" && one.transfers.length === 0),
    );
  for (let turn = 0; turn < 20 && !isTaken(); turn += 1) {
    await database.kysely.updateTable("payouts").set({ resend_at: null }).execute();
    await blocks(1);
  }
  expect(isTaken()).toBe(true);
  await expect(say("payout retry 1 why --as ann")).rejects.toThrow("is taking its place and is not final yet");
  await expect(say(`payout refund 1 why --as ann --to ${REFUND_ADDRESS}`)).rejects.toThrow(
    "is taking its place and is not final yet",
  );
  await blocks(3);
  chain.refuses = false;
  await say("payout retry 1 nothing can be mined any more --as ann");
  await blocks(5);
  expect(chain.received("destination", "usdt-erc20")).toEqual([FULL]);
});

it("a refund that its address refuses is sent to another one, with the same fee", async () => {
  chain.failing.set("destination", new PaymentRefusedError("destination_reverts", "execution reverted"));
  const OTHER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
  chain.failing.set(OTHER, new PaymentRefusedError("destination_reverts", "execution reverted"));
  const { orderId, depositAddress } = await order();
  chain.deposit(depositAddress, "eth", HALF_ETH);
  await blocks(4);
  await say(`payout refund 1 it reverts --as ann --to ${OTHER}`);
  await blocks(2);
  expect(await payout()).toMatchObject({ state: "review", purpose: "refund", review_reason: "destination_reverts" });
  await expect(say("payout refund 1 it reverts too --as ann")).rejects.toThrow("name another address");
  await say(`payout refund 1 it reverts too --as ann --to ${REFUND_ADDRESS}`);
  await blocks(6);
  expect(chain.received(REFUND_ADDRESS, "eth")).toEqual([HALF_ETH - FEE]);
  expect(await status(orderId)).toBe("REFUND_COMPLETED");
});

describe("a deposit in review", () => {
  it("that came after its order was done is sent to another address where the first refuses it", async () => {
    const REVERTING = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
    chain.failing.set(REVERTING, new PaymentRefusedError("destination_reverts", "execution reverted"));
    const { depositAddress } = await order();
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await blocks(8);
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await blocks(4);
    await say(`deposit refund 2 late --as ann --to ${REVERTING}`);
    await blocks(4);
    expect(await say("held")).toMatch(/^payout 2 {2}destination_reverts/);
    await expect(say("payout refund 2 it reverts --as ann --to nowhere")).rejects.toThrow("no address of ETH");
    await say(`payout refund 2 it reverts --as ann --to ${REFUND_ADDRESS}`);
    await blocks(6);
    expect(chain.received(REFUND_ADDRESS, "eth")).toEqual([HALF_ETH - FEE]);
    expect(await say("held")).toBe("nothing is held");
  });

  it("of a wrong asset is sent back", async () => {
    const { depositAddress } = await order();
    chain.deposit(depositAddress, "usdc-erc20", 50_000_000n);
    await blocks(1);
    await expect(say("deposit credit 1 why --as ann")).rejects.toThrow("takes no usdc-erc20");
    await say(`deposit refund 1 wrong coin --as ann --to ${REFUND_ADDRESS}`);
    await blocks(8);
    expect(chain.received(REFUND_ADDRESS, "usdc-erc20")).toEqual([50_000_000n - FEE]);
    expect(await say("held")).toBe("nothing is held");
  });

  it("is sent back neither to an address of ours nor to a token's contract", async () => {
    const { depositAddress } = await order();
    chain.deposit(depositAddress, "usdc-erc20", 50_000_000n);
    await blocks(1);
    const [used, hot] = ["0x8617E340B3D01FA5F11F306F4090FD50E238070D", "0x27b1fdb04752bbc536007a920d24acb045561c26"];
    await database.pool.query("update deposit_addresses set address = $1", [used]);
    await database.pool.query("insert into hot_addresses values ('ETH', $1)", [
      "0x27b1fdb04752bbc536007a920d24acb045561c26",
    ]);
    const contract = testEngine.catalogue.instruments.get("usdt-erc20")?.contractAddress ?? "";
    for (const to of [used, hot, contract])
      await expect(say(`deposit refund 1 wrong coin --as ann --to ${to}`)).rejects.toThrow("nobody can be paid there");
    expect(await audit()).toEqual([]);
    await say(`deposit refund 1 wrong coin --as ann --to ${REFUND_ADDRESS}`);
  });

  it("is credited to its order", async () => {
    const { orderId, depositAddress } = await order();
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await blocks(1);
    await database.kysely.updateTable("deposits").set({ review_reason: "locked" }).execute();
    await blocks(4);
    expect(await status(orderId)).not.toBe("WITHDRAWAL_COMPLETED");
    await say("deposit credit 1 it is unlocked --as ann");
    await blocks(5);
    expect(await status(orderId)).toBe("WITHDRAWAL_COMPLETED");
  });

  it("that named no order is credited to the one whose reference an operator names", async () => {
    const { orderId, depositAddress } = await order();
    chain.deposit(depositAddress, "eth", HALF_ETH);
    await blocks(1);
    await database.kysely.updateTable("deposits").set({ review_reason: "no_memo", order_id: null }).execute();
    const { reference } = await testEngine.engine.orderService.info(orderId, "destination");
    await expect(say("deposit credit 1 why --as ann --order 0000-0000")).rejects.toThrow("no order 0000-0000");
    await say(`deposit credit 1 no tag --as ann --order ${reference.toLowerCase().replace("-", "")}`);
    await blocks(8);
    expect(await status(orderId)).toBe("WITHDRAWAL_COMPLETED");
  });

  it("whose refund was requested is sent back and counts for no order, whoever asks for that", async () => {
    const { orderId, depositAddress } = await order();
    chain.deposit(depositAddress, "usdc-erc20", 50_000_000n);
    await blocks(1);
    await database.kysely.updateTable("deposits").set({ order_id: null }).execute();
    await say(`deposit refund 1 wrong coin --as ann --to ${REFUND_ADDRESS}`);
    await expect(say(`deposit credit 1 the customer called --as bob --order ${orderId}`)).rejects.toThrow(
      "Its refund was requested",
    );
    const counted = database.kysely.updateTable("deposits").set({ review_reason: null, order_id: orderId });
    await expect(counted.execute()).rejects.toThrow("deposits_refunded_from_review");
    await blocks(8);
    expect(chain.received(REFUND_ADDRESS, "usdc-erc20")).toEqual([50_000_000n - FEE]);
    expect((await audit()).map(({ action }) => action)).toEqual(["deposit refund"]);
  });

  it("that is dust is credited to no order, which would not count it", async () => {
    const { depositAddress } = await order();
    chain.deposit(depositAddress, "usdc-erc20", 5_000_000n);
    await blocks(1);
    await database.kysely.updateTable("deposits").set({ review_reason: "dust", slug: "eth" }).execute();
    await expect(say("deposit credit 1 be kind --as ann")).rejects.toThrow("write it off");
    expect(await audit()).toEqual([]);
  });

  it("is written off once it is confirmed, and counts for nothing after that", async () => {
    const { depositAddress } = await order();
    chain.deposit(depositAddress, "usdc-erc20", 5_000_000n);
    await blocks(1);
    await expect(say("deposit write-off 1 dust --as ann")).rejects.toThrow("not confirmed");
    await blocks(3);
    await say("deposit write-off 1 dust --as ann");
    await blocks(2);
    expect(await database.kysely.selectFrom("payouts").select("id").execute()).toEqual([]);
    await expect(say("deposit write-off 1 dust --as ann")).rejects.toThrow("not in review");
  });
});

describe("a network that is frozen over missing coins", () => {
  const usdt = { slug: "usdt-erc20", networkTitle: "ETH" };
  const isStopped = () => testEngine.switches.stoppedNow("pay", usdt, "to");

  it("pays again once two operators have booked the loss, and is not frozen for it again", async () => {
    chain.balances.set("usdt-erc20", HOT_BALANCE);
    const clock = { now: () => new Date() };
    await openBooks(database, chain, ["usdt-erc20"], clock);
    const networks = new Map([["ETH", chain]]);
    const log = createLog({ level: "silent" });
    const { switches } = testEngine;
    const reconciler = createReconciler({
      database,
      wallets: networks,
      readers: networks,
      slugsOf: () => ["usdt-erc20"],
      switches,
      clock,
      log,
    });
    chain.balances.set("usdt-erc20", HOT_BALANCE - 2_500_000n);
    for (let run = 0; run < 2; run += 1) await reconciler.reconcile("ETH");
    expect(await isStopped()).toContain("short");
    expect(await say("held")).toContain("(missing 2.5 usdt-erc20, by the reconciler)");
    await expect(say("freeze propose ETH btc hot missing 1 why --as ann")).rejects.toThrow("no instrument of ETH");
    await expect(say("freeze propose ETH usdt-erc20 hot missing 2.4 why --as ann")).rejects.toThrow("misses 2500000");
    await expect(say("freeze propose ETH usdt-erc20 deposits missing 2.5 why --as ann")).rejects.toThrow("misses no");
    await expect(release("ETH")).rejects.toThrow("short of usdt-erc20: bring it back");
    await say("freeze propose ETH usdt-erc20 hot missing 2.5 a payment by hand --as ann");
    await expect(say("freeze confirm 1 seen it --as Ann")).rejects.toThrow("somebody else");
    expect(await isStopped()).not.toBeNull();
    expect(await say("freeze confirm 1 seen it --as bob")).toBe(
      "missing: 2.5 usdt-erc20 in hot, booked. ETH is not stopped.",
    );
    await expect(say("freeze confirm 1 again --as cay")).rejects.toThrow("was confirmed by bob");
    for (let run = 0; run < 3; run += 1) await reconciler.reconcile("ETH");
    expect(await isStopped()).toBeNull();
    expect((await audit()).map(({ operator, action }) => [operator, action])).toEqual([
      ["ann", "freeze propose"],
      ["bob", "freeze confirm"],
    ]);
  });
});

describe("a stop of one cause", () => {
  const usdt = { slug: "usdt-erc20", networkTitle: "ETH" };
  const both = { action: "pay", scope: "ETH", direction: "both" } as const;
  const reasonNow = () => testEngine.switches.stoppedNow("pay", usdt, "to");
  const short = (missing: bigint | null, slug = "usdt-erc20") =>
    testEngine.switches.reportShortage("ETH", slug, missing);
  const follower = () =>
    database.kysely.transaction().execute((one) => followedPayments.stop(one, "ETH", "credits are gone"));

  it("is left alone where operators book what the reconciler misses", async () => {
    await testEngine.switches.stop({ ...both, reason: "maintenance" });
    await follower();
    await short(2_500_000n);
    await say("freeze propose ETH usdt-erc20 hot missing 2.5 why --as ann");
    expect(await say("freeze confirm 1 seen --as bob")).toBe(
      "missing: 2.5 usdt-erc20 in hot, booked. ETH is still stopped: credits are gone; maintenance.",
    );
    expect((await testEngine.switches.list()).map(({ cause }) => cause).toSorted()).toEqual(["follower", "operator"]);
  });

  it("is not booked as it was measured long ago, until it is measured again", async () => {
    await short(2_500_000n);
    await say("freeze propose ETH usdt-erc20 hot missing 2.5 why --as ann");
    const ago = "jsonb_build_object('usdt-erc20', now() - interval '6 minutes')";
    await database.pool.query(`update kill_switches set measured_at = ${ago} where cause = 'reconciler'`);
    await expect(say("freeze confirm 1 seen --as bob")).rejects.toThrow(
      "measured what it misses of usdt-erc20 6 minutes ago",
    );
    await expect(say("freeze propose ETH usdt-erc20 hot missing 2.5 why --as cay")).rejects.toThrow("6 minutes ago");
    await short(2_500_000n);
    expect(await say("freeze confirm 1 seen --as bob")).toContain("ETH is not stopped");
  });

  it("stays while another instrument of the network is short", async () => {
    await short(2_500_000n);
    await short(7n, "usdc-erc20");
    await say("freeze propose ETH usdt-erc20 hot missing 2.5 why --as ann");
    expect(await reasonNow()).toBe("the hot wallet is short of usdc-erc20, usdt-erc20");
    expect(await say("freeze confirm 1 seen --as bob")).toContain(
      "ETH is still stopped: the hot wallet is short of usdc-erc20.",
    );
    expect(await reasonNow()).toBe("the hot wallet is short of usdc-erc20");
    await short(3n);
    await short(null);
    expect(await reasonNow()).toBe("the hot wallet is short of usdc-erc20");
  });

  it("of the reconciler is neither overwritten nor released by an operator's, until nothing is missing", async () => {
    await short(5n);
    await testEngine.switches.stop({ ...both, reason: "maintenance" });
    expect(await release("ETH")).toBe(true);
    expect(await reasonNow()).toContain("short");
    await expect(release("ETH")).rejects.toThrow(OperatorError);
    expect(await say("held")).not.toContain("nothing is missing any more");
    await short(null);
    expect(await reasonNow()).toContain("short");
    expect(await say("held")).toContain("nothing is missing any more");
    expect(await release("ETH")).toBe(true);
    expect(await reasonNow()).toBeNull();
    expect(await release("ETH")).toBe(false);
  });

  it("of a follower stands beside an operator's, whose release leaves it", async () => {
    await testEngine.switches.stop({ ...both, reason: "maintenance" });
    await follower();
    expect(await release("ETH")).toBe(true);
    expect(await reasonNow()).toBe("credits are gone");
    expect(await release("ETH"), "by an operator who has seen to the loss").toBe(true);
    expect(await reasonNow()).toBeNull();
    expect(await release("ETH")).toBe(false);
  });

  it("is not booked where the reconciler has measured nothing, but on purpose", async () => {
    await expect(say("freeze propose ETH usdt-erc20 hot missing 2.5 why --as ann")).rejects.toThrow("--unmeasured");
    await say("freeze propose eth usdt-erc20 hot found 2.5 counted by hand --as ann --unmeasured");
    expect(await say("freeze confirm 1 counted again --as bob")).toContain("ETH is not stopped");
  });

  it("is not booked by a proposal that was withdrawn, which another one may replace", async () => {
    await short(2_500_000n);
    await say("freeze propose ETH usdt-erc20 hot missing 2.5 why --as ann");
    expect(await say("held")).toContain("proposal 1");
    expect(await say("freeze withdraw 1 typed too early --as ann")).toBe("proposal 1: withdrawn by ann.");
    expect(await say("held")).not.toContain("proposal 1");
    await expect(say("freeze confirm 1 seen --as bob")).rejects.toThrow("withdrawn by ann");
    await expect(say("freeze withdraw 1 again --as ann")).rejects.toThrow("withdrawn by ann");
    expect(await reasonNow()).toContain("short");
    await say("freeze propose ETH usdt-erc20 hot missing 2.5 why --as ann");
    await say("freeze confirm 2 seen --as bob");
    await expect(say("freeze withdraw 2 too late --as ann")).rejects.toThrow("was confirmed by bob");
    expect((await audit()).map(({ operator, action }) => [operator, action])).toEqual([
      ["ann", "freeze propose"],
      ["ann", "freeze withdraw"],
      ["ann", "freeze propose"],
      ["bob", "freeze confirm"],
    ]);
  });

  it("is not booked once the reconciler has measured something else in between", async () => {
    await short(5n);
    await say("freeze propose ETH usdt-erc20 hot missing 0.000005 why --as ann");
    await short(6n);
    await expect(say("freeze confirm 1 seen --as bob")).rejects.toThrow("misses 6 minor units");
    expect(await reasonNow()).not.toBeNull();
  });
});

it.each([
  ["an option that no command has", "payout refund 1 why --as ann --addr 0x52", "--addr"],
  ["an option of another command", "payout retry 1 why --as ann --to 0x52", "--to"],
  ["an option without its value", "payout refund 1 why --as --to 0x52", "--as"],
  ["no id", "payout retry abc why --as ann", '"abc" is no id'],
  ["no verb", "payout explode 1 why --as ann", '"payout explode 1" is no command'],
  ["no deposit", `deposit refund 77777 why --as ann --to ${REFUND_ADDRESS}`, "There is no deposit 77777"],
  ["no payout", `payout refund 77777 why --as ann --to ${REFUND_ADDRESS}`, "There is no payment 77777"],
])("%s is refused by its name", async (_case, command, named) => {
  await expect(say(command)).rejects.toThrow(OperatorError);
  await expect(say(command)).rejects.toThrow(named);
});

it("what operators did can't be changed", async () => {
  await say("freeze propose ETH eth hot found 1 why --as ann --unmeasured");
  await expect(database.kysely.deleteFrom("operator_actions").execute()).rejects.toThrow("append-only");
  await expect(database.kysely.updateTable("operator_actions").set({ operator: "bob" }).execute()).rejects.toThrow(
    "append-only",
  );
});

it("a payment that no row knows is listed until it is decided", async () => {
  await database.pool.query(
    `insert into unknown_payments (network, tx_id, pays, found_at)
     values ('ETH', '0xabc', '[{"to":"0xdef","slug":"usdt-erc20","amount":"2500000"}]', now()), ('XMR', 'def', null, now())`,
  );
  const said = await say("held");
  expect(said).toContain("unknown payment ETH 0xabc  no row knows this payment");
  expect(said).toContain("(to 0xdef 2.5 usdt-erc20, nothing is signed on ETH)");
  expect(said).toContain("unknown payment XMR def  no row knows");
  await database.pool.query("update unknown_payments set decision = 'not ours', decided_at = now()");
  expect(await say("held")).toBe("nothing is held");
});

it.each([
  ["held extra", '"extra" says nothing here'],
  ["held --as ann", "no option --as"],
  ["payout", "payout retry <id>"],
  ["freeze", "freeze propose <network>"],
])("%s is refused, with what can be said", async (text, said) => {
  await expect(say(text)).rejects.toThrow(said);
});

import { PRICE_RANGES } from "#contract/price-range.ts";
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { Registry } from "prom-client";
import { readTips } from "../../../server/chains/follower/index.ts";
import { networksInUse } from "../../../server/chains/follower/network-activity.ts";
import { checkRecentPayments } from "../../../server/chains/follower/payment-hold.ts";
import { createAccounts, lockSignedIn } from "../../../server/accounts/index.ts";
import { createDatabaseWatch } from "../../../server/db/backup/database-watch.ts";
import { openClock } from "../../../server/db/clock.ts";
import { measureExchange } from "../../../server/exchange-metrics.ts";
import { createIdempotencyKeys } from "../../../server/http/idempotency-keys.ts";
import { createPushSubscriptions, createSeenUpdates } from "../../../server/notifications/index.ts";
import { countAccountMail } from "../../../server/notifications/account-mail-limits.ts";
import {
  abandonInquiry,
  beginInquiry,
  endInquiry,
  pruneInquiries,
  queueInquiry,
  resultOf,
  takeInquiries,
} from "../../../server/notifications/inquiries/store.ts";
import { abandonUnsendable, leaseRows, recordResult, untilNextMessage } from "../../../server/notifications/outbox.ts";
import { createBackfill } from "../../../server/prices/backfill-prices.ts";
import { dueRehearsals } from "../../../server/orders/rehearsals/store.ts";
import { openPrices } from "../../../server/prices/index.ts";
import { createPriceHistory } from "../../../server/prices/price-history.ts";
import { createMarketOverrides } from "../../../server/rates/market/overrides.ts";
import { createPriceSnapshots } from "../../../server/rates/snapshots/price-snapshot.ts";
import { createAvailableBalances } from "../../../server/treasury/index.ts";
import { storeHotBalances, withholdBalances } from "../../../server/treasury/balances/available-balances.ts";
import { openBooks } from "../../../server/treasury/ledger/ledger.ts";
import { checkWalletCaps } from "../../../server/treasury/balances/wallet-cap.ts";
import { storeHotAddress } from "../../../server/treasury/balances/hot-addresses.ts";
import { listHeld } from "../../../server/treasury/operator/held.ts";
import { createDepositCheck } from "../../../server/treasury/balances/deposit-check.ts";
import { createReconciler } from "../../../server/treasury/balances/reconciler.ts";
import { settlePaymentsToOurselves } from "../../../server/treasury/payouts/to-ourselves.ts";
import { createSecurityWatch } from "../../../server/admin/security-watch.ts";
import { createVerification, deleteDocumentsAfter } from "../../../server/verification/index.ts";
import { askForRefund, orderBody } from "../../../tests/support/scenarios/test-engine.ts";
import { createLog } from "../../../server/base/logging/log.ts";
import { dueTurn, runDueJobs } from "../../../server/db/job-runner.ts";
import { occasionalWork } from "./occasional-work.ts";
import { cardWork } from "./card-work.ts";
import { partnerWork } from "./partner-work.ts";
import { sweepAll } from "./template-orders.ts";
import { DEPOSIT, UNDECIDED_SECONDS, type SteadyEngine } from "./steady-engine.ts";

/** Something that the server does again and again: a loop's turn, a call, a collection of figures. */
export type Work = { name: string; run(): Promise<unknown> };

const SLUGS = ["eth", "usdt-erc20", "usdc-erc20", "dai-erc20"];
const client = { key: "bench", traceId: "bench" };
const browser = {
  endpoint: "https://push.example/1",
  p256dh: "key",
  auth: "auth",
  locale: "en",
  expiresAt: null,
} as const;

/** Every recurring work of the worker and the web role, over an engine that has active orders of every state. */
export function recurringWork(steady: SteadyEngine): Work[] {
  const { engine, chain, clock, database, catalogue, switches } = steady;
  const { orderService } = engine;
  const log = database.log;
  const keys = createIdempotencyKeys(database);
  const accounts = createAccounts({ database, clock, bot: null, areas: [] });
  const subscriptions = createPushSubscriptions(database);
  const updates = createSeenUpdates(database);
  const snapshots = createPriceSnapshots(database);
  const history = createPriceHistory(database);
  const prices = openPrices({ database, catalogue, clock, priceSnapshots: snapshots, isSandbox: false });
  const registry = new Registry();
  measureExchange(registry, database, () => new Map([["ETH", { isUp: true, head: { height: 1, ageSeconds: 0 } }]]));
  const balances = createAvailableBalances(database, { catalogue, fees: () => new Map(), now: clock.now });
  const wallets = new Map([["ETH", chain]]);
  const reconciler = createReconciler({
    database,
    wallets,
    readers: wallets,
    slugsOf: () => SLUGS,
    switches,
    clock,
    log,
  });
  const depositCheck = createDepositCheck({ database, readers: wallets, wallets, log });
  const attempt = { route: "create", key: "another key", hash: "hash", runner: "runner" };
  const eachNetwork = (turn: (network: string) => Promise<unknown>) => async () => {
    for (const network of engine.paymentNetworks) await turn(network);
  };
  let newest = "";

  return [
    {
      name: "call: create a floating order",
      run: () => orderService.create(orderBody({ refundAddress: "refund" }), client),
    },
    {
      name: "call: create a fixed order, set its email, subscribe, read it",
      run: async () => {
        const body = orderBody({ rateMode: "FIXED", refundAddress: "refund" });
        const order = await orderService.create(body, client);
        await orderService.setEmail(order.orderId, "customer@example.com");
        await subscriptions.add(order.orderId, browser);
        await orderService.info(order.orderId, "destination");
        await orderService.depositTarget(order.orderId);
        chain.deposit(order.depositAddress, "eth", DEPOSIT);
        newest = order.orderId;
      },
    },
    {
      name: "loop: mempool watch",
      run: async () => {
        for (const watch of engine.mempoolWatches.values()) await watch.turn();
      },
    },
    {
      name: "loop: follower, a block with a deposit and a payment, and old addresses to look at",
      run: async () => {
        await sql`update deposit_addresses set next_look_at = now() where network = 'ETH' and derivation_index = any(array(
          select derivation_index from deposit_addresses where network = 'ETH' order by derivation_index desc limit 50))`.execute(
          database.kysely,
        );
        chain.mine();
        for (const follower of engine.followers.values()) await follower.turn();
      },
    },
    { name: "loop: orders", run: engine.runOrders },
    {
      name: "loop: price history, its old prices",
      run: async () => {
        await history.record(clock.now(), new Map(SLUGS.map((slug) => [slug, 10n ** 18n])));
        await history.prune(clock.now());
      },
    },
    {
      name: "loop: price backfill",
      run: createBackfill({
        database,
        catalogue,
        clock,
        readCandles: async () => ({ prices: new Map(), isWhole: true }),
      }),
    },
    {
      name: "calls: prices of all coins, and of one",
      run: async () => {
        await prices.list();
        for (const range of PRICE_RANGES) await prices.history("eth", range);
      },
    },
    {
      name: "call and loop: messages to the operator",
      run: async () => {
        const mail = { to: "", replyTo: "", locale: "en" as const, subject: "", text: "", html: "", file: null };
        const inquiry = await beginInquiry(database, "contact", { key: "bench" });
        await queueInquiry(database, inquiry, mail, null);
        await takeInquiries(database, 5);
        await endInquiry(database, inquiry, "sent");
        await resultOf(database, inquiry);
        await abandonInquiry(database, inquiry);
        await pruneInquiries(database);
      },
    },
    { name: "call: price of a refund", run: () => orderService.refundInfo(newest) },
    {
      name: "loop: a job that fails",
      run: async () => {
        for (const queue of ["orders", "payouts"] as const) {
          const due = { next_attempt_at: new Date(0) };
          await database.kysely.updateTable(queue).set(due).where("next_attempt_at", "is not", null).execute();
          await runDueJobs(
            database,
            queue,
            () => Promise.reject(new Error("the job fails")),
            createLog({ level: "silent" }),
          );
        }
        // The pause is over, and the next run forgets the failure.
        await sql`update job_failures set paused_until = to_timestamp(0)`.execute(database.kysely);
        const due = { next_attempt_at: new Date(0) };
        await database.kysely.updateTable("orders").set(due).where("next_attempt_at", "is not", null).execute();
        await engine.runOrders();
      },
    },
    {
      name: "loop: when the next job is due",
      run: async () => {
        for (const queue of ["orders", "partner_exchanges", "card_orders"] as const)
          await dueTurn(database, queue, () => Promise.resolve(false));
        await untilNextMessage(database, ["mail", "push"]);
      },
    },
    { name: "loop: messages without a channel", run: () => abandonUnsendable(database, ["mail", "push"]) },
    { name: "loop: orders that the sandbox plays", run: () => dueRehearsals(database, clock.now(), 20) },
    { name: "loop: networks in use", run: () => networksInUse(database) },
    { name: "loop: unpaid orders", run: engine.expireOrders },
    {
      name: "loop: undecided orders, one of which is left to operators until its customer comes back",
      run: () => leaveUndecided(steady),
    },
    { name: "loop: deposits that are gone, one of which ends", run: () => endGone(steady) },
    { name: "loop: undone completions", run: engine.reverseUndone },
    { name: "loop: completed orders", run: engine.countCompletedOrders },
    { name: "loop: due payouts", run: engine.duePayouts },
    { name: "loop: payouts", run: eachNetwork(engine.runPayouts) },
    { name: "loop: partners", run: engine.runExchanges },
    { name: "loop: deposit refunds", run: engine.refundDeposits },
    { name: "loop: sweep plans", run: engine.planSweeps },
    { name: "loop: due sweeps", run: engine.dueSweeps },
    { name: "loop: sweeps", run: eachNetwork(engine.runSweeps) },
    {
      name: "loop: follower, a reorganisation",
      run: async () => {
        chain.reorg(2, true);
        for (const follower of engine.followers.values()) while (await follower.turn());
      },
    },
    { name: "loop: orders after a reorganisation", run: engine.runOrders },
    {
      name: "before a signature: recent payments",
      run: () => checkRecentPayments({ database, log }, showsRecent(steady), clock.now()),
    },
    {
      name: "loop: hot balances",
      run: async () => {
        await withholdBalances(database, SLUGS);
        await openBooks(database, chain, SLUGS, clock);
        const stored = await storeHotBalances(database, chain, SLUGS);
        const marked = stored.map((balance) => ({ ...balance, isOverCap: true }));
        await checkWalletCaps({ database, catalogue, walletCapUsd: 1, priceUsd: () => 1n, log }, marked);
        await storeHotAddress(database, chain);
      },
    },
    { name: "loop: heads of networks", run: () => readTips(database.kysely, ["ETH"]) },
    {
      name: "loop: reconciler",
      run: async () => {
        await settlePaymentsToOurselves(
          { database, wallets, readers: wallets, finalDepthOf: () => 3, clock, log },
          "ETH",
        );
        await reconciler.reconcile("ETH");
      },
    },
    {
      name: "loop: deposit addresses, which hold nothing for two blocks",
      run: async () => {
        for (const isRobbed of [false, true, true, false]) {
          chain.mine();
          for (const follower of engine.followers.values()) await follower.turn();
          chain.isRobbed = isRobbed;
          await depositCheck.check("ETH");
          chain.isRobbed = false;
        }
      },
    },
    { name: "loop: available balances", run: balances.refresh },
    {
      name: "loop: notifications",
      run: async () => {
        const rows = await leaseRows(database, ["mail", "push"], { limit: 20, leaseSeconds: 30 });
        for (const row of rows) await recordResult(database, row, { kind: "accepted" });
        await countAccountMail(database, { id: "0", topic: "welcome" }, { perRecipient: 5, perClient: 20 });
      },
    },
    { name: "loop: push subscriptions", run: subscriptions.prune },
    {
      name: "loop: prices",
      run: async () => {
        const made = { at: clock.now(), prices: new Map([["eth", 1n]]), fees: new Map<string, bigint>() };
        await snapshots.publish({ ...made, partners: new Map() });
        await snapshots.refresh();
        await snapshots.at(new Date(0));
        await snapshots.prune(clock.now());
        await createMarketOverrides(database).all();
      },
    },
    { name: "loop: switches", run: switches.refresh },
    { name: "loop: database", run: () => createDatabaseWatch(database, log).check() },
    { name: "loop: clock", run: () => openClock(database, log) },
    { name: "metrics", run: () => registry.metrics() },
    {
      name: "call: claim orders",
      run: () =>
        orderService.claim({ userId: 0n, email: null }, [{ orderId: newest, destinationAddress: "x" }], client),
    },
    { name: "call: latest orders", run: orderService.latest },
    { name: "call: statistics", run: orderService.stats },
    {
      name: "calls: a pair's last exchanges, and the pairs that are asked for",
      run: async () => {
        await orderService.pairActivity({ from: "eth", to: "usdt-erc20" });
        await orderService.askedPairs();
      },
    },
    {
      name: "call: idempotency",
      run: async () => {
        await keys.lease(attempt);
        await keys.find(attempt);
        await keys.renew(attempt);
        await keys.finish(attempt, 200, {});
        await keys.prune();
      },
    },
    {
      name: "call: sessions",
      run: async () => {
        await Promise.allSettled([accounts.authenticateToken("no token")]);
        await accounts.endSession({ userId: 0n, sessionId: randomUUID(), email: null, isFresh: true }, randomUUID());
        await accounts.refresh("no token");
        const client = { prefix: "192.0.2.1", network: null, device: null, browser: null };
        await accounts.requestPasswordReset("nobody@mail.example", client);
        await accounts.prune();
      },
    },
    {
      name: "verification",
      run: async () => {
        await createVerification({ database, clock, lockSignedIn, key: null }).status(0n);
        await deleteDocumentsAfter({ database, clock, log }, 30);
      },
    },
    {
      name: "call: bot updates",
      run: async () => {
        await updates.markSeen(2);
        await updates.prune();
      },
    },
    {
      name: "an order from its creation to its end, and the sweep of its deposit",
      run: async () => {
        chain.isHalted = false;
        const { depositAddress } = await orderService.create(orderBody(), client);
        chain.deposit(depositAddress, "eth", DEPOSIT);
        await steady.mine(10);
        await sweepAll(steady);
        chain.isHalted = true;
      },
    },
    ...occasionalWork(steady),
    ...partnerWork(steady),
    ...cardWork(steady),
    { name: "admin: held rows", run: () => listHeld(database) },
    {
      name: "loop: security log",
      run: () => createSecurityWatch({ database, listHeld, securityLog: { record: () => true }, log }).turn(),
    },
  ];
}

async function leaveUndecided(steady: SteadyEngine): Promise<void> {
  const { engine, chain, clock, rates } = steady;
  const { min } = rates;
  chain.isHalted = false;
  rates.min = 2n * DEPOSIT;
  const order = await engine.orderService.create(orderBody({ refundAddress: "refund" }), client);
  rates.min = min;
  chain.deposit(order.depositAddress, "eth", DEPOSIT);
  await steady.mine(4);
  clock.skipMs = (UNDECIDED_SECONDS + 60) * 1000;
  await engine.holdUndecided();
  clock.skipMs = 0;
  await askForRefund(steady, order, "refund");
  await steady.mine(8);
  await sweepAll(steady);
  chain.isHalted = true;
}

/** Its order waits for another deposit from then on. */
async function endGone({ engine, chain, clock }: SteadyEngine): Promise<void> {
  const watch = async () => {
    for (const mempool of engine.mempoolWatches.values()) await mempool.turn();
    await engine.runOrders();
  };
  const { depositAddress } = await engine.orderService.create(orderBody(), client);
  const txId = chain.deposit(depositAddress, "eth", DEPOSIT);
  await watch();
  chain.evict(txId);
  await watch();
  clock.skipMs = 2 * 86_400_000;
  await engine.endGoneDeposits();
  clock.skipMs = 0;
  await engine.runOrders();
}

/** A wallet whose blocks don't show its payments. */
function showsRecent({ chain }: SteadyEngine) {
  return Object.assign(Object.create(chain), { recentPayments: async () => [{ txId: "recent", height: 1 }] });
}

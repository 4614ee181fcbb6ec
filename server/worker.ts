import { repeat, startLoop, type Loop } from "./base/concurrency/loop.ts";
import { BITCOIN_TOPICS, listenToNode, MONERO_TOPICS } from "./chains/announcements.ts";
import { ConfigError } from "./base/processes/startup-error.ts";
import { lockSignedIn } from "./accounts/index.ts";
import { payEndedMonths } from "./earnings/index.ts";
import { createPartnerQuotes, type PartnerQuotes } from "./liquidity/index.ts";
import {
  startBot,
  type RunningBot,
  startInquirySender,
  startNotifier,
  type NotifierParts,
  createPushSender,
  createPushSubscriptions,
} from "./notifications/index.ts";
import type { SandboxPayment } from "./orders/port.ts";
import { startPriceBackfill, startPriceRecorder } from "./prices/index.ts";
import { runWebhooks } from "./partner-api/index.ts";
import { openMarketFeeds } from "./rates/market/feeds.ts";
import { createMarketOverrides } from "./rates/market/overrides.ts";
import { createMarketPrices } from "./rates/market/prices.ts";
import { createNetworkFees } from "./rates/snapshots/network-fees.ts";
import { createPricePublisher, type PricePublisher } from "./rates/snapshots/price-publisher.ts";
import { dueTurn, type JobQueue } from "./db/job-runner.ts";
import type { Services } from "./services.ts";
import { listHeld, startPaymentLoops, watchTreasury } from "./treasury/index.ts";
import { startSecurityWatch } from "./admin/index.ts";
import { deleteDocumentsAfter } from "./verification/index.ts";

/** Whoever makes a job due wakes the loops; this finds what was missed (engine law 1). */
const JOBS_IDLE_MS = 10_000;
const REFUND_DEPOSITS_EVERY_MS = 10_000;
const CHECK_DATABASE_EVERY_MS = 2_000;
const EXPIRE_ORDERS_EVERY_MS = 10_000;
const UNDECIDED_EVERY_MS = 30_000;
const END_GONE_DEPOSITS_EVERY_MS = 60_000;
const REVERSE_UNDONE_EVERY_MS = 10_000;
const PAY_MONTHS_EVERY_MS = 600_000;
const COUNT_ORDERS_EVERY_MS = 3_600_000;
const DELETE_DOCUMENTS_EVERY_MS = 3_600_000;

export type Worker = { pricePublisher: PricePublisher; wake(): void; stop(): Promise<void> };

/** The worker role: follows chains, advances orders, signs payouts. It alone holds keys (engine law 14). */
export async function startWorker(services: Services): Promise<Worker> {
  const { database, clock, log, engine, readers, leases, activity, pace } = services;
  const { bus } = services.shared;
  /** Runs on one worker at a time, the one that holds the lease. */
  const withLease =
    (name: string, turn: () => Promise<boolean>): (() => Promise<boolean>) =>
    async () =>
      (await leases.hold(name)) && turn();
  const market = await openMarketFeeds({
    config: services.config,
    instruments: services.catalogue.instruments.values(),
    log,
  });
  const pricePublisher = createPricePublisher({
    priceSnapshots: services.priceSnapshots,
    market: createMarketPrices({
      feeds: market.feeds,
      overrides: services.config.sandbox ? createMarketOverrides(database) : null,
      log,
    }),
    fees: createNetworkFees({ instruments: services.catalogue.instruments.values(), networks: readers, log }),
    ...(services.partners.size > 0 && { partners: partnerQuotes(services) }),
    clock,
    mayMake: () => leases.hold("price snapshots"),
    log,
  });
  await pricePublisher.start();
  const mayWrite = () => leases.hold("price history");
  const priceRecorder = startPriceRecorder({ ...services, mayWrite });
  const priceBackfill = market.candles && startPriceBackfill({ ...services, readCandles: market.candles, mayWrite });

  const notifier = startNotifier({ ...services, push: pushOf(services) });
  const inquiries = startInquirySender(services);
  const webhooks = runWebhooks({ ...services, orderService: engine.orderService });
  const bot = runBot(services);
  const wake = () => {
    for (const loop of jobLoops) loop.wake();
    notifier.wake();
    inquiries.wake();
    webhooks.wake();
    activity.wake();
  };
  // A job makes others due: an order its payment, a payment its order, both a message. And what is shown of an order changes.
  const onRan = () => {
    services.orderViews.clear();
    bus.publish("orders");
    wake();
  };
  const jobLoop = (name: string, queue: JobQueue, run: () => Promise<boolean>): Loop => {
    const batch = async () => {
      const more = await run();
      onRan();
      return more;
    };
    return startLoop(name, JOBS_IDLE_MS, () => dueTurn(database, queue, batch), log);
  };
  const payments = startPaymentLoops(engine, log, onRan);
  const refunds = repeat("deposit refunds", REFUND_DEPOSITS_EVERY_MS, () => engine.refundDeposits(), log);
  const jobLoops: Loop[] = [
    jobLoop("orders", "orders", () => engine.runOrders()),
    jobLoop("partners", "partner_exchanges", () => engine.runExchanges()),
    jobLoop("card orders", "card_orders", () => engine.runCardOrders()),
    payments.payouts,
  ];
  if (services.config.sandbox) jobLoops.push(playLoop(services));
  const loops = [...jobLoops, ...payments.others, refunds];
  loops.push(repeat("database", CHECK_DATABASE_EVERY_MS, () => engine.checkDatabase(), log));
  loops.push(startLoop("unpaid orders", EXPIRE_ORDERS_EVERY_MS, () => engine.expireOrders(), log));
  loops.push(repeat("undecided orders", UNDECIDED_EVERY_MS, () => engine.holdUndecided(), log));
  loops.push(startLoop("deposits that are gone", END_GONE_DEPOSITS_EVERY_MS, () => engine.endGoneDeposits(), log));
  loops.push(repeat("undone completions", REVERSE_UNDONE_EVERY_MS, () => engine.reverseUndone(), log));
  loops.push(repeat("completed orders", COUNT_ORDERS_EVERY_MS, () => engine.countCompletedOrders(), log));
  const monthly = { ...services, isSandbox: services.config.sandbox, lockSignedIn };
  loops.push(repeat("monthly payouts", PAY_MONTHS_EVERY_MS, () => payEndedMonths(monthly), log));
  const deleteDocuments = () => deleteDocumentsAfter(services, services.config.kycRetentionDays);
  loops.push(repeat("documents of decided checks", DELETE_DOCUMENTS_EVERY_MS, deleteDocuments, log));
  // Whoever takes orders has read balances before this, and would refuse what can be paid until its next poll.
  const onOpened = () => {
    bus.publish("switches");
    services.availableBalances
      .refresh()
      .catch((error: unknown) => log.warn({ err: error }, "new balances could not be read"));
  };
  const { walletCapUsd } = services.config.treasury;
  const walletCap = { walletCapUsd, priceUsd: services.rates.priceUsd };
  loops.push(...(await watchTreasury({ ...services, ...walletCap, onOpened })));
  const securityWatch = startSecurityWatch({ ...services, listHeld }, () => leases.hold("security log"));
  loops.push(securityWatch);
  const networkLoops = new Map<string, Loop[]>([...engine.followers.keys()].map((network) => [network, []]));
  for (const [network, follower] of engine.followers) {
    const turn = withLease(`follower ${network}`, () => follower.turn());
    networkLoops.get(network)?.push(startLoop(`follower ${network}`, () => pace.blocks(network), turn, log));
  }
  for (const [network, watch] of engine.mempoolWatches) {
    // Beside the follower, which a mempool that can't be read never holds up.
    const turn = async () => (await leases.hold(`follower ${network}`)) && watch.turn();
    networkLoops.get(network)?.push(repeat(`mempool ${network}`, () => pace.mempool(network), turn, log));
  }
  loops.push(...[...networkLoops.values()].flat());
  const announcements = announcingNodes(services).map(({ network, url, topics }) => {
    const look = () => {
      if (activity.isInUse(network)) networkLoops.get(network)?.forEach((loop) => loop.wake());
    };
    return listenToNode(url, topics, look, log);
  });
  const publishPrices = () => {
    pricePublisher.make().catch((error: unknown) => log.error({ err: error }, "new prices could not be published"));
  };
  const subscriptions = [
    ...announcements,
    bus.on("work", wake),
    bus.on("work", refunds.wake),
    // Rehearsals wait for the business clock.
    bus.on("clock", wake),
    bus.on("switches", securityWatch.wake),
    bus.on("prices", publishPrices),
    activity.onBegin((network) => networkLoops.get(network)?.forEach((loop) => loop.wake())),
  ];
  return {
    pricePublisher,
    wake,
    stop: async () => {
      for (const unsubscribe of subscriptions) unsubscribe();
      await Promise.all([priceRecorder.stop(), priceBackfill?.stop()]);
      await Promise.all([
        pricePublisher.stop(),
        notifier.stop(),
        inquiries.stop(),
        webhooks.stop(),
        bot?.stop(),
        ...loops.map((loop) => loop.stop()),
      ]);
      await market.stop();
    },
  };
}

type AnnouncingNode = { network: string; url: string; topics: readonly string[] };

/** The nodes that say by themselves when there is something to look at. */
function announcingNodes({ config: { bitcoin, monero } }: Services): AnnouncingNode[] {
  const family = [...bitcoin].map(([network, { zmqUrl }]) => ({ network, url: zmqUrl, topics: BITCOIN_TOPICS }));
  const all = [...family, { network: "XMR", url: monero?.zmqUrl ?? null, topics: MONERO_TOPICS }];
  return all.flatMap(({ url, ...rest }) => (url === null ? [] : [{ ...rest, url }]));
}

/** Plays the customers of orders whose outcome an integrator asked for, on one worker at a time. */
function playLoop({ engine, sandboxNetworks, activity, leases, log }: Services): Loop {
  const pay = async ({ networkTitle, ...payment }: SandboxPayment) => {
    const network = sandboxNetworks.get(networkTitle);
    if (network === undefined) throw new Error(`the sandbox can't pay on ${networkTitle}`);
    await network.pay(payment);
    activity.wakeAll();
  };
  const turn = async () => (await leases.hold("rehearsals")) && engine.playRehearsals(pay);
  return startLoop("rehearsals", JOBS_IDLE_MS, turn, log);
}

/** Null without a token. Only one worker at a time polls Telegram for updates, or sets the webhook. */
function runBot({ config, leases, log }: Services): RunningBot | null {
  const { botToken: token, apiUrl, webhook } = config.telegram;
  if (token === null) return null;
  const holdsLease = () => leases.hold("telegram bot");
  return startBot({ token, apiUrl, publicUrl: config.publicUrl, webhook, holdsLease, log });
}

function pushOf({ config: { push }, database, pushKeys }: Services): NotifierParts["push"] {
  const { publicKey, privateKey = null } = pushKeys ?? {};
  if (push === null || publicKey === undefined || privateKey === null) return null;
  return {
    sender: createPushSender({ keys: { publicKey, privateKey }, subject: push.subject, services: push }),
    subscriptions: createPushSubscriptions(database),
  };
}

/** Throws `ConfigError` for an instrument in PARTNER_PAIRS that the catalogue lacks. */
function partnerQuotes({ config, catalogue, partners, log }: Services): PartnerQuotes {
  const known = (slug: string) => {
    const instrument = catalogue.instruments.get(slug);
    if (instrument === undefined)
      throw new ConfigError(`PARTNER_PAIRS names ${slug}, which the catalogue doesn't have`);
    return instrument;
  };
  const pairs = config.partners.pairs.map(({ from, to }) => ({ from: known(from), to: known(to) }));
  return createPartnerQuotes({ partners: partners.values(), pairs, log });
}

import { startBot, type RunningBot } from "./notifications/telegram/index.ts";
import { ConfigError } from "./config/config.ts";
import type { House } from "./services.ts";
import { repeat, startLoop, type Loop } from "./base/loop.ts";
import { createPartnerQuotes, type PartnerQuotes } from "./liquidity/index.ts";
import { startNotices, type NoticesParts } from "./notifications/index.ts";
import { createPushSender, createPushSubscriptions } from "./notifications/push/index.ts";
import { createPricePublisher, type PricePublisher } from "./rates/price-publisher.ts";
import { createNetworkFees } from "./rates/fees.ts";
import { openMarketFeeds } from "./rates/market/feeds.ts";
import { createMarketOverrides } from "./rates/market/overrides.ts";
import { createMarketPrices } from "./rates/market/prices.ts";
import { watchTreasury } from "./treasury/treasury-watch.ts";

const TURN_EVERY_MS = 500;
const SWEEP_TURN_EVERY_MS = 2_000;
const COLLECT_EVERY_MS = 15_000;

export type Worker = { pricePublisher: PricePublisher; wake(): void; stop(): Promise<void> };

/** The role that follows chains, moves orders on and signs: the only one with keys (engine law 14). */
export async function startWorker(house: House): Promise<Worker> {
  const { database, clock, log, engine, readers, leases } = house;
  const { bus } = house.shared;
  /** For work that two workers at once would only do twice: whoever holds its lease does it. */
  const alone =
    (name: string, turn: () => Promise<boolean>): (() => Promise<boolean>) =>
    async () =>
      (await leases.hold(name)) && turn();
  const pricePublisher = createPricePublisher({
    priceSnapshots: house.priceSnapshots,
    market: createMarketPrices({
      feeds: await openMarketFeeds({ config: house.config, instruments: house.catalogue.instruments.values(), log }),
      overrides: createMarketOverrides(database),
      log,
    }),
    fees: createNetworkFees({ instruments: house.catalogue.instruments.values(), networks: readers, log }),
    ...(house.partners.size > 0 && { partners: partnerQuotes(house) }),
    clock,
    mayMake: () => leases.hold("price snapshots"),
    log,
  });
  await pricePublisher.start();

  const notices = startNotices({ ...house, push: pushOf(house) });
  const bot = runBot(house);
  const loops: Loop[] = [
    startLoop("orders", TURN_EVERY_MS, () => engine.sweepOrders(), log),
    startLoop("payouts", TURN_EVERY_MS, () => engine.sweepPayouts(), log),
  ];
  loops.push(startLoop("partners", TURN_EVERY_MS, () => engine.sweepExchanges(), log));
  const sweepers = [...loops];
  loops.push(startLoop("sweeps", SWEEP_TURN_EVERY_MS, () => engine.moveDeposits(), log));
  loops.push(repeat("sweep plans", COLLECT_EVERY_MS, () => engine.collectDeposits(), log));
  loops.push(...(await watchTreasury(house)));
  for (const [network, follower] of engine.followers) {
    loops.push(
      startLoop(
        `follower ${network}`,
        TURN_EVERY_MS,
        alone(`follower ${network}`, () => follower.turn()),
        log,
      ),
    );
  }
  const wake = () => {
    for (const loop of sweepers) loop.wake();
  };
  const takePrices = () => {
    pricePublisher.make().catch((error: unknown) => log.error({ err: error }, "the prices could not be taken anew"));
  };
  const ends = [bus.on("work", wake), bus.on("prices", takePrices)];
  return {
    pricePublisher,
    wake,
    stop: async () => {
      for (const end of ends) end();
      await Promise.all([pricePublisher.stop(), notices?.stop(), bot?.stop(), ...loops.map((loop) => loop.stop())]);
    },
  };
}

/** Null without a token. Only one worker at a time may ask the messenger for messages, or say where its webhook is. */
function runBot({ config, leases, log }: House): RunningBot | null {
  const { botToken: token, apiUrl, webhook } = config.telegram;
  if (token === null) return null;
  const mayRun = () => leases.hold("telegram bot");
  return startBot({ token, apiUrl, publicUrl: config.publicUrl, webhook, mayRun, log });
}

function pushOf({ config: { push }, database, pushKeys }: House): NoticesParts["push"] {
  const { publicKey, privateKey = null } = pushKeys ?? {};
  if (push === null || publicKey === undefined || privateKey === null) return null;
  return {
    sender: createPushSender({ keys: { publicKey, privateKey }, subject: push.subject, places: push }),
    subscriptions: createPushSubscriptions(database),
  };
}

/** Pairs whose instruments the catalogue doesn't know are a mistake in PARTNER_PAIRS. */
function partnerQuotes({ config, catalogue, partners, log }: House): PartnerQuotes {
  const known = (slug: string) => {
    const instrument = catalogue.instruments.get(slug);
    if (instrument === undefined)
      throw new ConfigError(`PARTNER_PAIRS names ${slug}, which the catalogue doesn't have`);
    return instrument;
  };
  const pairs = config.partners.pairs.map(({ from, to }) => ({ from: known(from), to: known(to) }));
  return createPartnerQuotes({ partners: partners.values(), pairs, log });
}

import type { Instrument } from "#contract/instrument.ts";
import type { Clock } from "./base/clock.ts";
import { createLogThrottle, STOP_REMINDER_MS } from "./base/logging/log-throttle.ts";
import type { Log } from "./base/logging/log.ts";
import { requireInstrument, type Catalogue } from "./catalogue/index.ts";
import type { ApprovalUsd } from "./config/treasury.ts";
import {
  createFollowers,
  createMempoolWatches,
  endGoneDeposits,
  signingWallets,
  type Follower,
  type MempoolWatch,
} from "./chains/follower/index.ts";
import type { NetworkReader, NetworkWallet } from "./chains/port.ts";
import { createDatabaseWatch, type DatabaseWatch } from "./db/backup/database-watch.ts";
import type { CreationSteps } from "./db/creation-steps.ts";
import type { Database } from "./db/database.ts";
import { runDueJobs, type JobLimits } from "./db/job-runner.ts";
import type { TransactionProbe } from "./db/transaction.ts";
import {
  authoriseWithdrawal,
  chargedWithdrawalFee,
  createEarningsRecorder,
  notifyWithdrawal,
  readOrderReferrer,
  reverseUndone,
} from "./earnings/index.ts";
import { abandonUnopened, advanceExchange, endOfExchange, intendExchange } from "./liquidity/index.ts";
import type { LiquidityPartner } from "./liquidity/port.ts";
import { enqueueWebhooks } from "./partner-api/index.ts";
import { enqueueMessages, isStopToken } from "./notifications/index.ts";
import { advance } from "./orders/processing/advance.ts";
import { authorisePayout, chargedFee } from "./orders/processing/authorise-payout.ts";
import { countCompletedOrders } from "./orders/views/completed-count.ts";
import { createCardOrders, type CardOrders } from "./orders/card/card-orders.ts";
import { createDepositAddresses } from "./orders/creation/deposit-addresses.ts";
import type { FirstMailLimits } from "./orders/creation/first-mail.ts";
import { smallestDeposit } from "./orders/creation/order-terms.ts";
import type { Ids } from "./orders/creation/ids.ts";
import { REFUND_FEE_LOCK_MS } from "./orders/refunds/refund-quote.ts";
import { createDisplayedFees } from "./orders/refunds/displayed-fees.ts";
import { createOrderService, type OrderServiceParts } from "./orders/order-service.ts";
import type { OrderViews } from "./orders/views/order-views.ts";
import type { PublicFeedTiming } from "./orders/views/public-feed.ts";
import { playRehearsals, type PlayParts } from "./orders/rehearsals/play.ts";
import { refundRequestedDeposits } from "./orders/refunds/refund-deposits.ts";
import type { OrderService } from "./orders/port.ts";
import { GONE_AFTER_MS } from "./orders/decisions/decide.ts";
import { ordersLeftUndecided } from "./orders/undecided/undecided.ts";
import { unpaidOrders } from "./orders/processing/store.ts";
import { nullWithoutPrice, type ArrivalTimes, type Rates } from "./rates/port.ts";
import {
  approvalBounds,
  createTreasuryJobs,
  followedPayments,
  intendPayout,
  postAll,
  post,
  reversalOf,
  type TreasuryJobs,
} from "./treasury/index.ts";
import type { AvailableBalances, Switches } from "./treasury/port.ts";

/** The available balance while it is unknown: the payout itself finds out that there is too little, and waits. */
const UNKNOWN_BALANCE = 10n ** 77n;
const ORDERS_AT_ONCE = 100;

export type EngineParts = {
  database: Database;
  catalogue: Catalogue;
  readers: ReadonlyMap<string, NetworkReader>;
  wallets: ReadonlyMap<string, NetworkWallet>;
  rates: Pick<Rates, "snapshot" | "networkFee" | "priceClaim">;
  /** By code; empty where no partner fills orders. */
  partners: ReadonlyMap<string, LiquidityPartner>;
  /** What the hot wallets can still promise; null where it is unknown. */
  available: AvailableBalances["available"];
  /** Called with what a new order was promised from our own coins. */
  onPromised: AvailableBalances["promise"];
  instrumentOf(slug: string): Instrument;
  arrivalTimes: ArrivalTimes;
  clock: Clock;
  ids: Ids;
  switches: Switches;
  log: Log;
  fixedOrdersPerClient: number;
  unpaidOrdersPerClient: number | null;
  firstMails: FirstMailLimits;
  /** How long a deposit waits for the customer's choice before it is refunded; null: for ever. */
  autoRefundSeconds: number | null;
  /** How long an order waits for its customer before operators are notified; null: for ever. */
  undecidedSeconds: number | null;
  /** Whether orders carry the link that they were made by (contract §9). */
  arePartnerReferralsOn: boolean;
  /** Whether blocks are made on demand, so that the newest one may be of any age. */
  areChainsLocal: boolean;
  /** Beyond these a payment needs two operators; null: none does. */
  approval: ApprovalUsd | null;
  /** Null where no cards are taken. */
  card: NonNullable<OrderServiceParts["cards"]> | null;
  /** How the treasury runs payments; tests make them follow each other. */
  jobLimits?: JobLimits;
  /** Sees how the database takes part in each creation; absent where nobody watches. */
  creations?: CreationSteps;
  /** Called when jobs became due, so that a waiting loop runs them at once. */
  onJobs?: () => void;
  /** Called when an order was created, which waits for its network. */
  onCreated?: () => void;
  /** Orders as they were shown a moment ago; absent where each call reads the rows. */
  views?: OrderViews;
  /** When completions are published; absent where each is shown at once. */
  publicFeed?: PublicFeedTiming;
  probe?: TransactionProbe;
};

/** The order engine: each `run…` runs one batch of due jobs and is true when more may be due. */
export type Engine = TreasuryJobs & {
  orderService: OrderService;
  /** Notices where the database has lost rows since the last call. */
  checkDatabase: DatabaseWatch["check"];
  /** Makes a network's first deposit address before an order waits for it. */
  prepareAddresses(network: string): Promise<void>;
  followers: ReadonlyMap<string, Follower>;
  /** Of those networks whose mempool can be read. */
  mempoolWatches: ReadonlyMap<string, MempoolWatch>;
  runOrders(): Promise<boolean>;
  /** Acts as the customer of orders that a sandbox plays; true when something was done. */
  playRehearsals(pay: PlayParts["pay"]): Promise<boolean>;
  /** Ends orders that nobody paid in their time; true when more may have ended. */
  expireOrders(): Promise<boolean>;
  /** Shows operators the orders whose customers have not chosen in their time. */
  holdUndecided(): Promise<void>;
  /** Ends deposits that no block and no mempool has shown for a day; true when there may be more. */
  endGoneDeposits(): Promise<boolean>;
  /** Brings the stored number of completed orders up to yesterday. */
  countCompletedOrders(): Promise<void>;
  runExchanges(): Promise<boolean>;
  /** Null where no cards are taken. */
  cardOrders: CardOrders | null;
  /** Asks the card provider about orders. */
  runCardOrders(): Promise<boolean>;
  /** Takes back what orders have earned whose completion is undone. */
  reverseUndone(): Promise<void>;
  /** Sends deposits back whose return an operator has requested. */
  refundDeposits(): Promise<void>;
};

/** Wires the order engine out of orders, treasury, liquidity and chains; tests build it over their own chain, clock and prices. */
export function createEngine(parts: EngineParts): Engine {
  const { database, catalogue, readers, rates, log, autoRefundSeconds, undecidedSeconds, approval, card } = parts;
  const onJobs = parts.onJobs ?? (() => undefined);
  const depositAddresses = createDepositAddresses(database, log, parts.creations);
  const priceUsd = (slug: string) => nullWithoutPrice(() => rates.snapshot().prices.get(slug) ?? null, log);
  const minDeposit = (slug: string) => smallestDeposit(parts, slug);
  const orderParts = {
    ...parts,
    earnings: createEarningsRecorder({ catalogue, priceUsd, log }),
    readReferrerId: async (given: string) =>
      parts.arePartnerReferralsOn ? readOrderReferrer(database.kysely, given) : null,
    intendPayout,
    intendExchange,
    ownBalance: (slug: string, network: string) =>
      parts.wallets.has(network) ? (parts.available(slug, "FLOATING") ?? UNKNOWN_BALANCE) : null,
    post,
    postAll,
    enqueueMessages,
    enqueueWebhooks,
    isStopToken,
    depositAddresses,
  };
  const advanceParts = {
    ...orderParts,
    returnFee: (slug: string) => nullWithoutPrice(() => rates.networkFee(slug, rates.snapshot()), log),
    autoRefundSeconds,
    undecidedSeconds,
    endOfExchange,
    abandonUnopened,
    reversalOf,
  };
  const exchangeParts = {
    ...parts,
    instrumentOf: (slug: string) => requireInstrument(catalogue, slug),
    intendPayout,
    post,
    isStopReminderDue: createLogThrottle(STOP_REMINDER_MS),
  };
  const databaseWatch = createDatabaseWatch(database, log);
  const cardOrders =
    card &&
    createCardOrders({
      ...orderParts,
      cardProvider: card.provider,
      askSeconds: card.askSeconds,
      tickerOf: (slug) => requireInstrument(catalogue, slug).currencyTitle,
    });
  const orderService = createOrderService({
    ...orderParts,
    ...(card && { cards: card, cardProviders: new Map([[card.provider.code, card.provider]]) }),
    onJobs,
    displayedFees: createDisplayedFees(REFUND_FEE_LOCK_MS),
  });
  return {
    orderService,
    checkDatabase: databaseWatch.check,
    cardOrders,
    runCardOrders: async () =>
      cardOrders !== null && runDueJobs(database, "card_orders", (id) => cardOrders.ask(BigInt(id)), log),
    playRehearsals: (pay) => playRehearsals({ ...parts, orderService, pay }),
    prepareAddresses: async (network) => {
      const reader = readers.get(network);
      if (reader !== undefined) await depositAddresses.prepare(reader);
    },
    followers: createFollowers({ ...parts, payments: followedPayments, minDeposit, onChange: onJobs }),
    mempoolWatches: createMempoolWatches({ ...parts, onChange: onJobs }),
    runOrders: () => runDueJobs(database, "orders", (id) => advance(advanceParts, id), log),
    expireOrders: async () => {
      const ids = await unpaidOrders(database, parts.clock.now(), ORDERS_AT_ONCE);
      for (const id of ids) await advance(advanceParts, id);
      return ids.length === ORDERS_AT_ONCE;
    },
    holdUndecided: async () => {
      if (undecidedSeconds === null) return;
      const ids = await ordersLeftUndecided(database, parts.clock.now(), ORDERS_AT_ONCE);
      for (const id of ids) await advance(advanceParts, id);
    },
    endGoneDeposits: () => endGoneDeposits(parts, new Date(parts.clock.now().getTime() - GONE_AFTER_MS)),
    countCompletedOrders: () => countCompletedOrders(database, parts.clock.now()),
    reverseUndone: () => reverseUndone(parts),
    refundDeposits: () => refundRequestedDeposits(advanceParts),
    runExchanges: () =>
      runDueJobs(database, "partner_exchanges", (id) => advanceExchange(exchangeParts, BigInt(id)), log),
    ...createTreasuryJobs({
      ...parts,
      wallets: signingWallets({ ...parts, checkDatabase: databaseWatch.check }),
      priceUsd,
      approval: approval && approvalBounds(approval),
      chargedFee: (payout) =>
        payout.withdrawalId === null ? chargedFee(database, payout) : chargedWithdrawalFee(database, payout),
      authorisePayout: (payout) =>
        payout.withdrawalId === null ? authorisePayout(database, payout) : authoriseWithdrawal(database, payout),
      notifyWithdrawal,
      onMined: onJobs,
    }),
  };
}

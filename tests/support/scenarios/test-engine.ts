import { arrivalTimesOf } from "../orders/arrival-times.ts";
import { toMinor } from "#contract/money.ts";
import type { CreateOrderBody, Order } from "#contract/order.ts";
import { loadCatalogue, requireInstrument, toInstrument, type Catalogue } from "../../../server/catalogue/index.ts";
import type { ApprovalUsd } from "../../../server/config/treasury.ts";
import { createEngine, type Engine, type EngineParts } from "../../../server/engine.ts";
import type { JobLimits } from "../../../server/db/job-runner.ts";
import type { CreationSteps } from "../../../server/db/creation-steps.ts";
import type { Database } from "../../../server/db/database.ts";
import type { TransactionProbe } from "../../../server/db/transaction.ts";
import type { LiquidityPartner } from "../../../server/liquidity/port.ts";
import { type Curve, quote, type QuoteTerms } from "../../../server/rates/quote.ts";
import { createLog, type Log } from "../../../server/base/logging/log.ts";
import type { NetworkReader, NetworkWallet } from "../../../server/chains/port.ts";
import { secureIds, type Ids } from "../../../server/orders/creation/ids.ts";
import type { PublicFeedTiming } from "../../../server/orders/views/public-feed.ts";
import type { PriceSnapshot, PricedClaim, Rates } from "../../../server/rates/port.ts";
import type { Switches } from "../../../server/treasury/port.ts";
import { createSwitches } from "../../../server/treasury/balances/switches.ts";

const SCALE = 10n ** 18n;

/** Prices that are constant until a test moves them. */
export class StillRates implements Pick<Rates, "snapshot" | "networkFee" | "priceClaim"> {
  prices = new Map<string, bigint>([
    ["eth", 3000n * SCALE],
    ["usdt-erc20", SCALE],
    ["usdc-erc20", SCALE],
    ["dai-erc20", SCALE],
  ]);
  fee = 1_000_000n;
  /** The least that an order may send. */
  min = 1n;
  /** By slug, where it is not `fee`. */
  fees = new Map<string, bigint>();
  /** By `offerKey`: what partners quote. */
  partners = new Map<string, Curve>();
  /** The partner that quotes new orders, where one does. */
  provider: string | undefined;

  snapshot(): PriceSnapshot {
    return { at: new Date(), prices: this.prices, fees: new Map(), partners: this.partners };
  }

  networkFee(slug: string): bigint {
    return this.fees.get(slug) ?? this.fee;
  }

  async priceClaim(given: Parameters<Rates["priceClaim"]>[0]): Promise<PricedClaim> {
    const snapshot = this.snapshot();
    const terms: QuoteTerms = {
      from: { decimals: decimalsOf(given.from), priceUsd: snapshot.prices.get(given.from) ?? 0n },
      to: { decimals: decimalsOf(given.to), priceUsd: snapshot.prices.get(given.to) ?? 1n },
      platformFeeBps: (given.rateMode === "FIXED" ? 100n : 50n) + (given.markupBps ?? 0n),
      spreadBps: 0n,
      networkFee: toMinor(this.networkFee(given.to)),
    };
    const quoted = quote(terms, { side: "from", amount: toMinor(given.claimedDepositAmount) });
    if (quoted === null) throw new Error("the fees exceed the amount");
    const { provider } = this;
    const bounds = { min: toMinor<"from">(this.min), max: null };
    return { quote: quoted, snapshot, validUntil: null, bounds, ...(provider !== undefined && { provider }) };
  }
}

const DECIMALS: Record<string, number> = { eth: 18, "dai-erc20": 18, btc: 8, ltc: 8, xmr: 12 };
const decimalsOf = (slug: string): number => DECIMALS[slug] ?? 6;

const catalogues = new Map<string, Promise<Catalogue>>();

/** Read once for all engines of a file: a twentieth of a scenario's time. */
function shippedCatalogue(contractAddresses: ReadonlyMap<string, string>): Promise<Catalogue> {
  const key = JSON.stringify([...contractAddresses]);
  const known = catalogues.get(key) ?? loadCatalogue({ contractAddresses });
  catalogues.set(key, known);
  return known;
}

export type TestEngine = {
  engine: Engine;
  catalogue: Catalogue;
  rates: StillRates;
  switches: Switches;
  /** Turns every loop until nothing is due any more. */
  settle(): Promise<void>;
};

/** The real engine on a real database, over the networks that a test brings: one, or several that an order may cross. */
export async function createTestEngine(parts: {
  database: Database;
  reader: NetworkReader;
  wallet: NetworkWallet;
  others?: readonly { reader: NetworkReader; wallet: NetworkWallet }[];
  /** The one that ships, unless a test brings its own. */
  catalogue?: Catalogue;
  rates?: StillRates;
  now?: () => Date;
  contractAddresses?: ReadonlyMap<string, string>;
  probe?: TransactionProbe;
  ids?: Ids;
  autoRefundSeconds?: number;
  undecidedSeconds?: number;
  /** In USD; what is left out is unbounded. */
  approval?: Partial<ApprovalUsd>;
  unpaidOrdersPerClient?: number;
  firstMails?: { perRecipient: number; perClient: number };
  partners?: ReadonlyMap<string, LiquidityPartner>;
  card?: EngineParts["card"];
  available?: (slug: string) => bigint | null;
  publicFeed?: PublicFeedTiming;
  log?: Log;
  jobLimits?: JobLimits;
  creations?: CreationSteps;
}): Promise<TestEngine> {
  const { database, reader, wallet } = parts;
  const networks = [{ reader, wallet }, ...(parts.others ?? [])];
  const catalogue = parts.catalogue ?? (await shippedCatalogue(parts.contractAddresses ?? new Map()));
  const rates = parts.rates ?? new StillRates();
  const switches = createSwitches(database);
  const engine = createEngine({
    database,
    catalogue,
    readers: new Map(networks.map((network) => [network.reader.networkTitle, network.reader])),
    wallets: new Map(networks.map((network) => [network.wallet.networkTitle, network.wallet])),
    rates,
    switches,
    instrumentOf: (slug) =>
      toInstrument(requireInstrument(catalogue, slug), {
        price: rates.prices.get(slug) ?? null,
        payoutFee: null,
        blockSeconds: null,
        payoutSeconds: null,
      }),
    arrivalTimes: arrivalTimesOf(catalogue),
    clock: { now: parts.now ?? (() => new Date()) },
    ids: parts.ids ?? secureIds,
    log: parts.log ?? createLog({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" }),
    fixedOrdersPerClient: 50,
    unpaidOrdersPerClient: parts.unpaidOrdersPerClient ?? null,
    firstMails: parts.firstMails ?? null,
    autoRefundSeconds: parts.autoRefundSeconds ?? null,
    undecidedSeconds: parts.undecidedSeconds ?? null,
    approval: parts.approval ? { aboveUsd: null, hourlyUsd: null, networkHourlyUsd: null, ...parts.approval } : null,
    // One after the other and without a clock, so that a run can be repeated.
    jobLimits: parts.jobLimits ?? { concurrency: 1 },
    partners: parts.partners ?? new Map(),
    card: parts.card ?? null,
    available: parts.available ?? (() => null),
    onPromised: () => undefined,
    arePartnerReferralsOn: true,
    areChainsLocal: false,
    ...(parts.publicFeed && { publicFeed: parts.publicFeed }),
    ...(parts.creations && { creations: parts.creations }),
    ...(parts.probe ? { probe: parts.probe } : {}),
  });
  const settle = async () => {
    for (const watch of engine.mempoolWatches.values()) await watch.turn();
    for (const follower of engine.followers.values()) while (await follower.turn());
    while (await engine.runOrders());
    await runPayouts(engine);
    while (await engine.runExchanges());
    while (await engine.runOrders());
  };
  return { engine, catalogue, rates, switches, settle };
}

/** Runs the payouts that are due, network by network. */
export async function runPayouts(engine: Engine): Promise<void> {
  for (const network of engine.paymentNetworks) while (await engine.runPayouts(network));
}

/** A body that creates an order of ETH to USDT. */
export function orderBody(changes: Partial<CreateOrderBody> = {}): CreateOrderBody {
  return {
    rateMode: "FLOATING",
    instrumentFrom: { currencyTitle: "ETH", networkTitle: "ETH", slug: "eth" },
    instrumentTo: { currencyTitle: "USDT", networkTitle: "ETH", slug: "usdt-erc20" },
    destinationAddress: "destination",
    claimedDepositAmount: "0.5",
    claimedPublicRate: { price: "2983", updatedAt: new Date().toISOString(), claimedAmountToReceive: "1491.5" },
    ...changes,
  };
}

/** The customer asks for the deposit back at an address that they name now, with the figures that are quoted. */
export async function askForRefund(
  { engine: { orderService } }: TestEngine,
  { orderId, destinationAddress }: Pick<Order, "orderId" | "destinationAddress">,
  refundAddress = "new",
): Promise<Order> {
  const quoted = await orderService.refundInfo(orderId, destinationAddress);
  const { refundAmountWithoutNetworkFee: refundAmount, networkFee: claimedNetworkFee } = quoted;
  return orderService.requestRefund({ orderId, destinationAddress, refundAddress, refundAmount, claimedNetworkFee });
}

export const kindsOf = (order: Order): string[] => order.orderEvents.map((event) => event.kind).reverse();

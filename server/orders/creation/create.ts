import { CodedError } from "#contract/errors.ts";
import { parseAmount, type Minor } from "#contract/money.ts";
import { type CreateOrderBody } from "#contract/order.ts";
import { toLocale } from "#contract/locale.ts";
import type { Catalogue, CatalogueInstrument } from "../../catalogue/index.ts";
import { clientHash } from "../../base/client-hash.ts";
import type { Clock } from "../../base/clock.ts";
import type { Turns } from "../../base/concurrency/turns.ts";
import { UNWATCHED, type CreationSteps } from "../../db/creation-steps.ts";
import type { Database } from "../../db/database.ts";
import { inTransaction, isUniqueViolation, type TransactionProbe } from "../../db/transaction.ts";
import type { NetworkReader } from "../../chains/port.ts";
import type { EnqueueMessages } from "../../notifications/port.ts";
import type { Rates } from "../../rates/port.ts";
import { blacklisted } from "../../blacklist/index.ts";
import type { AvailableBalances, Switches } from "../../treasury/port.ts";
import { decide } from "../decisions/decide.ts";
import { evolve } from "../decisions/evolve.ts";
import type { DepositAddresses } from "./deposit-addresses.ts";
import { guardFixedExposure, guardUnpaidOrders } from "./exposure.ts";
import { orderIdFrom, type Ids } from "./ids.ts";
import { createdMessage } from "../customer-messages.ts";
import { enqueueFirstMail, type FirstMailLimits } from "./first-mail.ts";
import { isPublicKind, type OrderState } from "../decisions/order.ts";
import { readOrderRows, type OrderRows } from "../views/order-rows.ts";
import { openOrder, type NewOrder, type Opened } from "./open-orders.ts";
import { refuseContracts, unpayableAt } from "./payable.ts";
import { storeRehearsal } from "../rehearsals/store.ts";
import { storePartnerOrder } from "../partner-orders.ts";
import type { Client, EnqueueWebhooks } from "../port.ts";
import { requireAccount } from "./account-reserve.ts";
import { termsOf } from "./order-terms.ts";
import { invalid, parseRecipients, readerOf } from "./recipients.ts";

export type CreateParts = {
  database: Database;
  catalogue: Catalogue;
  readers: ReadonlyMap<string, NetworkReader>;
  rates: Pick<Rates, "priceClaim">;
  clock: Clock;
  ids: Ids;
  depositAddresses: DepositAddresses;
  enqueueMessages: EnqueueMessages;
  enqueueWebhooks: EnqueueWebhooks;
  switches: Pick<Switches, "stopped">;
  fixedOrdersPerClient: number;
  /** The id of a referral link as it is stored; null where links count for nothing. Throws for one that nobody has (contract §9). */
  readReferrerId(given: string): Promise<string | null>;
  /** Null: any number. */
  unpaidOrdersPerClient: number | null;
  firstMails: FirstMailLimits;
  /** Called with what a new order was promised from our own coins. */
  onPromised: AvailableBalances["promise"];
  /** In which those wait who check the same client's orders. */
  turns: Turns;
  /** Opens an order that needs no other checks in the same transaction. */
  openOrder(order: NewOrder): Promise<Opened>;
  /** Sees how the database takes part in each creation. */
  creations?: CreationSteps;
  probe?: TransactionProbe;
};

/** Validates a request, prices it again and creates the order, whose rows it returns. A refusal is a CodedError and changes no row. */
export async function createOrder(parts: CreateParts, body: CreateOrderBody, client: Client): Promise<OrderRows> {
  const { creations = UNWATCHED } = parts;
  const id = client.seed === undefined ? parts.ids.orderId() : orderIdFrom(client.seed);
  // An equal call may have created it and crashed before answering.
  const made =
    client.seed === undefined || client.isFirst ? null : await creations.step(() => readOrderRows(parts.database, id));
  if (made !== null) return made;
  const from = knownInstrument(parts.catalogue, body.instrumentFrom, "instrumentFrom");
  const to = knownInstrument(parts.catalogue, body.instrumentTo, "instrumentTo");
  if (from.slug === to.slug) throw invalid({ "instrumentTo.slug": "must differ from the sending instrument" });
  if (!parts.catalogue.isPairActive(from.slug, to.slug)) {
    throw new CodedError("ERR_PAIR_NOT_ACTIVE", "This pair can't be exchanged now");
  }
  if (parts.switches.stopped("accept", from, "from") !== null || parts.switches.stopped("accept", to, "to") !== null) {
    throw new CodedError("ERR_SERVICE_UNAVAILABLE", "No orders are taken for this pair now", { retryAfterSeconds: 60 });
  }
  const claimedDepositAmount = claimedAmount(body.claimedDepositAmount, from);
  const { destination, refund } = parseRecipients(parts.readers, { from, to }, body);
  refuseContracts(parts.catalogue, [
    { networkTitle: to.networkTitle, address: destination.address, field: "destinationAddress" },
    ...(refund === null
      ? []
      : [{ networkTitle: from.networkTitle, address: refund.address, field: "refundAddress" } as const]),
  ]);
  const markupBps = client.partner?.markupBps;
  const pair = { from: from.slug, to: to.slug, rateMode: body.rateMode, markupBps };
  const priced = await parts.rates.priceClaim({ ...pair, claimedDepositAmount, claim: body.claimedPublicRate });
  await requireAccount(readerOf(parts.readers, to), destination.address, to, priced.quote.amountTo);

  const { referrerId: given } = body;
  const referrerId = given == null ? null : await creations.step(() => parts.readReferrerId(given));
  const { unpaidOrdersPerClient: maxUnpaid } = parts;
  if (maxUnpaid !== null) await creations.step(() => guardUnpaidOrders(parts.database, client, maxUnpaid));
  const reader = readerOf(parts.readers, from);
  const taken = await parts.depositAddresses.take(reader);
  const { index: depositIndex, address: deposit } = taken;
  const at = parts.clock.now();
  const terms = termsOf(parts.catalogue, {
    from,
    to,
    claimedDepositAmount,
    destination,
    refund,
    deposit,
    priced,
    rateMode: body.rateMode,
    markupBps,
    rehearsal: client.partner?.rehearsal,
    at,
  });
  const { events } = decide({ kind: "create", terms, at }, null);
  const state = events.reduce<OrderState | null>(evolve, null);
  if (state === null) throw new Error("creation appended no event");

  const reference = parts.ids.reference();
  const userEmail = body.userEmail ?? null;
  const order: NewOrder = {
    id,
    reference,
    state,
    events,
    depositIndex,
    clientKey: client.key,
    clientNetwork: client.network ?? null,
    clientHash: clientHash(body.browserFingerprint, client.network ?? client.key),
    locale: toLocale(body.locale),
    userEmail,
    userId: client.userId ?? null,
    referrerId,
    utmData: body.utmData ?? null,
    at,
  };
  // Without checks on other rows and without a message it is a single statement: one round trip to the database.
  try {
    if (terms.fixed === null && userEmail === null && client.partner === undefined)
      await creations.last(async () => refuseUnopened(await parts.openOrder(order)));
    else await parts.turns(turnOf(client), () => creations.last(() => openGuarded(parts, client, order)));
  } catch (error) {
    // Refused, and so stored nowhere.
    if (error instanceof CodedError) parts.depositAddresses.release(reader, taken);
    const other = await openedBeside(parts, client, { id, error });
    if (other === null) throw error;
    return other;
  }
  if (priced.provider === undefined) parts.onPromised(to.slug, priced.quote.amountTo, body.rateMode);
  const publicEvents = events.flatMap(({ kind }) => (isPublicKind(kind) ? [{ kind, at }] : [])).reverse();
  const unpaid = {
    deposits: [],
    depositTip: null,
    payout: null,
    wait: null,
    isPayingStopped: false,
    unpaidUntil: null,
  };
  return { id, reference, state, userEmail, isEmailConfirmed: true, events: publicEvents, ...unpaid };
}

/** The order that an equal call, whose lease was lost, has opened meanwhile; null for any other failure. */
async function openedBeside(
  { database, creations = UNWATCHED }: CreateParts,
  { seed }: Client,
  { id, error }: { id: string; error: unknown },
): Promise<OrderRows | null> {
  return seed !== undefined && isUniqueViolation(error) ? creations.step(() => readOrderRows(database, id)) : null;
}

/** The name of a client's turn: its creations that check other rows run one after another. */
export const turnOf = ({ network, key }: Client): string => `client ${network ?? key}`;

/** Throws why the database opened no order. */
export function refuseUnopened({ isDestinationOurs, isRefundOurs, isBlacklisted, isOwnerGone }: Opened): void {
  if (isDestinationOurs) throw unpayableAt("destinationAddress");
  if (isRefundOurs) throw unpayableAt("refundAddress");
  if (isBlacklisted) throw blacklisted();
  if (isOwnerGone) throw new CodedError("ERR_UNAUTHORIZED", "Sign in first");
}

/** Checks the exposure of fixed orders and queues the first mail in the same transaction. */
function openGuarded(parts: CreateParts, client: Client, order: NewOrder): Promise<void> {
  const { id, state, userEmail } = order;
  const { terms } = state;
  return inTransaction(
    parts.database,
    async (transaction) => {
      if (terms.fixed !== null) {
        await guardFixedExposure(transaction, terms, {
          client,
          now: terms.createdAt,
          ordersPerClient: parts.fixedOrdersPerClient,
          pairUsd: parts.catalogue.terms.fixedExposureUsd,
          clientShareBps: parts.catalogue.terms.fixedClientShareBps,
        });
      }
      refuseUnopened(await openOrder(transaction, order));
      if (client.partner !== undefined) {
        await storePartnerOrder(transaction, id, client.partner, terms.createdAt);
        if (client.partner.rehearsal !== undefined)
          await storeRehearsal(transaction, id, client.partner.rehearsal, terms);
        await parts.enqueueWebhooks(transaction, id);
      }
      if (userEmail !== null) await enqueueFirstMail(parts, transaction, id, createdMessage(state));
    },
    parts.probe,
  );
}

export function knownInstrument(
  catalogue: Catalogue,
  ref: CreateOrderBody["instrumentFrom"],
  field: "instrumentFrom" | "instrumentTo",
): CatalogueInstrument {
  const found = catalogue.instruments.get(ref.slug);
  if (found === undefined) throw invalid({ [`${field}.slug`]: "unknown instrument" });
  if (found.currencyTitle !== ref.currencyTitle || found.networkTitle !== ref.networkTitle) {
    throw invalid({ [field]: "the titles don't belong to the slug" });
  }
  return found;
}

export function claimedAmount(text: string, from: CatalogueInstrument): Minor<"from"> {
  const amount = parseAmount<"from">(text, from.decimals);
  if (amount === null) throw invalid({ claimedDepositAmount: `at most ${from.decimals} decimals` });
  if (amount <= 0n) throw invalid({ claimedDepositAmount: "must be greater than zero" });
  return amount;
}

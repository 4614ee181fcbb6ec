import { randomBytes } from "node:crypto";
import { deeplinkUrl } from "#contract/links/deeplink.ts";
import { CodedError } from "#contract/errors.ts";
import { orderPath } from "#contract/links/order-path.ts";
import { type CreateOrderBody } from "#contract/order.ts";
import { toLocale } from "#contract/locale.ts";
import { randomHex } from "../../base/secrets.ts";
import { clientHash } from "../../base/client-hash.ts";
import type { CardOpening, CardProvider, CardRates, OpenedCard } from "../../card/port.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Rates } from "../../rates/port.ts";
import { createdMessage } from "../customer-messages.ts";
import { claimedAmount, knownInstrument, refuseUnopened, type CreateParts } from "../creation/create.ts";
import { guardUnpaidOrders } from "../creation/exposure.ts";
import { enqueueFirstMail } from "../creation/first-mail.ts";
import { orderIdFrom } from "../creation/ids.ts";
import { openOrder, type NewOrder } from "../creation/open-orders.ts";
import { refuseContracts } from "../creation/payable.ts";
import { parseDestination, parseOptionalRefund } from "../creation/recipients.ts";
import type { OrderState } from "../decisions/order.ts";
import { readOrderRows, type OrderRows } from "../views/order-rows.ts";
import { createdState } from "./card-terms.ts";
import { unavailable, userToken, verificationNeeded, type CardCustomer } from "./provider-user.ts";
import { abandonCardOrder, intendCardOrder, markCardOrderOpen } from "./store.ts";

export type CreateCardParts = Omit<CreateParts, "rates"> & {
  rates: Pick<Rates, "priceUsd">;
  cardProvider: CardProvider;
  cardRates: CardRates;
  publicUrl: string;
  /** Where the mini-app opens; null where there is none. */
  miniAppUrl: string | null;
  askSeconds: number;
};

const RANDOM_DESTINATION_LENGTH = 22;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/**
 * Creates an order that the card provider carries out. It exists once the provider has opened it: before that there is a row of the intent,
 * which a repetition of the call finds after a crash. A refusal is a CodedError, and nothing can be paid.
 */
export async function createCardOrder(
  parts: CreateCardParts,
  body: CreateOrderBody,
  customer: CardCustomer,
): Promise<OrderRows> {
  const { database, cardProvider } = parts;
  const id = customer.seed === undefined ? parts.ids.orderId() : orderIdFrom(customer.seed);
  const made = customer.seed === undefined || customer.isFirst ? null : await readOrderRows(database, id);
  if (made !== null) return made;
  const from = knownInstrument(parts.catalogue, body.instrumentFrom, "instrumentFrom");
  const to = knownInstrument(parts.catalogue, body.instrumentTo, "instrumentTo");
  if (body.rateMode === "FIXED") throw new CodedError("ERR_NOT_ACCEPTABLE", "A card has no fixed rate");
  const amountFrom = claimedAmount(body.claimedDepositAmount, from);
  const isBuy = from.instrumentType === "fiat";
  const destination = isBuy ? parseDestination(parts.readers, to, body) : { address: randomDestination(), memo: null };
  const refund = isBuy ? null : parseOptionalRefund(parts.readers, from, body);
  refuseContracts(parts.catalogue, [
    ...(isBuy
      ? [{ networkTitle: to.networkTitle, address: destination.address, field: "destinationAddress" } as const]
      : []),
    ...(refund === null
      ? []
      : [{ networkTitle: from.networkTitle, address: refund.address, field: "refundAddress" } as const]),
  ]);
  const { unpaidOrdersPerClient: maxUnpaid } = parts;
  if (maxUnpaid !== null) await guardUnpaidOrders(database, customer, maxUnpaid);
  const { referrerId: given } = body;
  const referrerId = given == null ? null : await parts.readReferrerId(given);
  const priced = await parts.cardRates.priceClaim(from.slug, to.slug, amountFrom, body.claimedPublicRate, {
    address: customer.key,
    network: customer.network ?? null,
  });
  const token = await userToken(parts, customer, priced.needsVerification);

  const intent = await inTransaction(
    database,
    (transaction) =>
      intendCardOrder(transaction, {
        orderId: id,
        userId: customer.userId,
        provider: cardProvider.code,
        direction: priced.pair.direction,
        merchantId: randomHex(16),
      }),
    parts.probe,
  );
  if (intent === null) return openedBefore(parts, id);
  const opening = await cardProvider.open({
    pair: priced.pair,
    merchantId: intent.merchantId,
    token,
    amountFrom,
    address: isBuy ? destination.address : (refund?.address ?? null),
    memo: isBuy ? destination.memo : (refund?.memo ?? null),
    returnUrl: returnUrlOf(parts, body, id, destination.address),
    locale: toLocale(body.locale),
  });
  const opened = await requireOpened(parts, id, opening);
  const state = createdState(parts, { opened, priced, destination, refund, amountFrom, from, to });
  try {
    await store(parts, { id, state, referrerId, body, customer, attempt: intent.attempt });
  } catch (error) {
    // An equal call of another process was faster: what this one has opened is never paid.
    const other = error instanceof CodedError ? null : await readOrderRows(database, id);
    if (other === null) throw error;
    return other;
  }
  return (await readOrderRows(database, id)) ?? Promise.reject(new Error("an order by card was not stored"));
}

/** An equal call was faster. */
async function openedBefore({ database }: CreateCardParts, id: string): Promise<OrderRows> {
  const rows = await readOrderRows(database, id);
  if (rows === null) throw unavailable();
  return rows;
}

async function requireOpened(parts: CreateCardParts, id: string, opening: CardOpening): Promise<OpenedCard> {
  if (opening.kind === "opened") return opening.order;
  if (opening.kind !== "unknown") await abandonCardOrder(parts.database, id);
  if (opening.kind === "verification_needed") throw verificationNeeded();
  if (opening.kind === "unknown") throw unavailable();
  throw new CodedError("ERR_UNPROCESSABLE_ENTITY", "The card provider doesn't take this order now");
}

async function store(
  parts: CreateCardParts,
  given: {
    id: string;
    state: OrderState;
    referrerId: string | null;
    body: CreateOrderBody;
    customer: CardCustomer;
    attempt: number;
  },
): Promise<void> {
  const { id, state, body, customer, attempt } = given;
  const { terms } = state;
  const order: NewOrder = {
    id,
    reference: parts.ids.reference(),
    state,
    events: [{ kind: "CREATION_END", data: { terms }, at: terms.createdAt }],
    depositIndex: null,
    clientKey: customer.key,
    clientNetwork: customer.network ?? null,
    clientHash: clientHash(body.browserFingerprint, customer.network ?? customer.key),
    locale: toLocale(body.locale),
    userEmail: customer.email,
    userId: customer.userId,
    referrerId: given.referrerId,
    utmData: body.utmData ?? null,
    at: terms.createdAt,
  };
  await inTransaction(
    parts.database,
    async (transaction) => {
      refuseUnopened(await openOrder(transaction, order));
      await markCardOrderOpen(transaction, { orderId: id, attempt, askAfterSeconds: parts.askSeconds });
      await enqueueFirstMail(parts, transaction, id, createdMessage(state));
    },
    parts.probe,
  );
}

/** Nobody is paid there: it opens the order, as the address of a purchase does (contract §11). */
function randomDestination(): string {
  const bytes = randomBytes(RANDOM_DESTINATION_LENGTH * 2);
  return Array.from(
    { length: RANDOM_DESTINATION_LENGTH },
    (_, at) => LETTERS[bytes.readUInt16LE(at * 2) % LETTERS.length],
  ).join("");
}

/** The order's page: in the mini-app for whoever came from there, elsewhere at the site. */
function returnUrlOf(
  { publicUrl, miniAppUrl }: Pick<CreateCardParts, "publicUrl" | "miniAppUrl">,
  body: CreateOrderBody,
  id: string,
  destinationAddress: string,
): string {
  const inMiniApp = body.shell === "telegram" ? deeplinkUrl(orderPath(id, destinationAddress), miniAppUrl) : null;
  return inMiniApp ?? new URL(orderPath(id, destinationAddress, toLocale(body.locale)), publicUrl).href;
}

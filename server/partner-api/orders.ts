import type { AnswerOf } from "#contract/calls.ts";
import { CodedError } from "#contract/errors.ts";
import { spanEnd, spanStart } from "#contract/fields.ts";
import { divideDown, formatAmount, isDecimal, parseAmount, powerOfTen } from "#contract/money.ts";
import type { PartnerCreateOrderBody, RefusalReason } from "#contract/partner-api.ts";
import type { RateRequest } from "#contract/rate.ts";
import type { CallSeed } from "../base/routes.ts";
import { readAmount, type Catalogue } from "../catalogue/index.ts";
import { rehearsalRefusal, type OrderService, type PartnerOrder } from "../orders/port.ts";
import { RateChanged, type Rates } from "../rates/port.ts";
import type { Assets } from "./assets.ts";
import { cursorOf, readCursor } from "../base/cursor.ts";
import { orderInUnits, withUnits } from "./native-units.ts";
import type { Caller, PartnerHandlers } from "./port.ts";
import { presentRate, withAllReasons } from "./rates.ts";
import type { Partner } from "./signing/authenticate.ts";

export type PartnerOrderParts = {
  catalogue: Catalogue;
  rates: Pick<Rates, "refusals" | "pairData" | "quoteEnd">;
  orderService: Pick<
    OrderService,
    "create" | "partnerOrder" | "partnerOrders" | "refundInfo" | "requestRefund" | "acceptRateModeChange"
  >;
  assets: Assets;
  isSandbox: boolean;
};

type OrderCall = "partnerCreateOrder" | "partnerOrder" | "partnerOrders" | "partnerRefund" | "partnerAccept";
type Answer = AnswerOf<"partnerOrder">;
type Creating = { partner: Caller; body: PartnerCreateOrderBody; traceId: string; seed: CallSeed | undefined };

/** Orders that a partner's program makes: the order service's own, opened by whose they are rather than by an address. */
export function partnerOrderHandlers(parts: PartnerOrderParts): Pick<PartnerHandlers, OrderCall> {
  const { orderService, assets } = parts;
  const find = async (partner: Partner, orderId: string): Promise<PartnerOrder> => {
    const found = await orderService.partnerOrder(partner.userId, orderId);
    if (found === null) throw new CodedError("ERR_NOT_FOUND_E", "The account's programs made no such order");
    return found;
  };
  const present = (one: PartnerOrder) => presentPartnerOrder(assets, one);

  return {
    partnerCreateOrder: async ({ body, partner, traceId, seed }) => {
      const orderId = await create(parts, { body, partner, traceId, seed });
      return present(await find(partner, orderId));
    },
    partnerOrder: async ({ params, partner }) => present(await find(partner, params.orderId)),
    partnerOrders: async ({ query, partner }) => {
      const { items, next } = await orderService.partnerOrders(partner.userId, {
        from: query.from === undefined ? null : spanStart(query.from),
        to: query.to === undefined ? null : spanEnd(query.to),
        state: query.state ?? null,
        externalId: query.externalId ?? null,
        after: readCursor(query.cursor),
        limit: Number(query.limit),
      });
      return { items: items.map(present), nextCursor: cursorOf(next) };
    },
    partnerRefund: async ({ params: { orderId }, body, partner }) => {
      const { order } = await find(partner, orderId);
      const { destinationAddress } = order;
      const refundAddress = body.refundAddress ?? order.refundAddress;
      if (refundAddress === null) throw invalid({ refundAddress: "is needed: the order has none" });
      const refundAddressMemo = body.refundAddress == null ? order.refundAddressMemo : body.refundAddressMemo;
      // Priced anew, so that the echo of the public call is right.
      const info = await orderService.refundInfo(orderId, destinationAddress);
      await orderService.requestRefund({
        orderId,
        destinationAddress,
        refundAddress,
        refundAddressMemo,
        refundAmount: info.refundAmountWithoutNetworkFee,
        claimedNetworkFee: info.networkFee,
      });
      return present(await find(partner, orderId));
    },
    partnerAccept: async ({ params: { orderId }, partner }) => {
      const { order } = await find(partner, orderId);
      try {
        await orderService.acceptRateModeChange({ orderId, destinationAddress: order.destinationAddress });
      } catch (error) {
        if (!(error instanceof CodedError) || error.data?.["offer"] === undefined) throw error;
        // The offer that took its place, as every other answer has it.
        const { offer } = present(await find(partner, orderId));
        throw new CodedError(error.code, error.message, { data: { ...error.data, offer }, cause: error });
      }
      return present(await find(partner, orderId));
    },
  };
}

/** Creates the order and returns its id; what is refused for its rate names every reason (contract §13). */
async function create(
  { catalogue, rates, orderService, assets, isSandbox }: PartnerOrderParts,
  { body, partner, traceId, seed }: Creating,
): Promise<string> {
  const { instrumentFromSlug, instrumentToSlug, externalId = null, markupBps: markup, sandboxOutcome, ...order } = body;
  const rehearsal = sandboxOutcome ?? undefined;
  const refused = rehearsal === undefined ? null : isSandbox ? rehearsalRefusal(rehearsal, body) : NO_SANDBOX;
  if (refused !== null) throw invalid(refused);
  const slugs = assets.slugsOf({ instrumentFromSlug, instrumentToSlug });
  const instrumentFrom = refOf(catalogue, slugs.instrumentFromSlug);
  const instrumentTo = refOf(catalogue, slugs.instrumentToSlug);
  readAmount(instrumentFrom, body.claimedDepositAmount, "claimedDepositAmount");
  const markupBps = BigInt(markup);
  try {
    const { orderId } = await orderService.create(
      { ...order, instrumentFrom, instrumentTo },
      {
        // Its customers have many addresses, and it has one limit: that of the account. All accounts of one address have a network's.
        key: `partner ${partner.userId}`,
        network: partner.network,
        traceId,
        ...seed,
        partner: { userId: partner.userId, externalId, markupBps, ...(rehearsal && { rehearsal }) },
      },
    );
    return orderId;
  } catch (error) {
    if (!(error instanceof CodedError) || instrumentFrom.slug === instrumentTo.slug) throw error;
    const request: RateRequest = {
      instrumentFromSlug: instrumentFrom.slug,
      instrumentToSlug: instrumentTo.slug,
      claimedDepositAmount: body.claimedDepositAmount,
      rateMode: body.rateMode,
      exchangeType: "crypto",
    };
    const named = withAllReasons(withPartnerRate(error, { rates, assets }, markupBps), rates, request, markupBps);
    const refusal = withReserveCost(named, rates, request, markupBps);
    throw withUnits(refusal, catalogue, request);
  }
}

/** The rate that is to be had instead is the one that `GET rates` answers. */
function withPartnerRate(
  error: CodedError,
  parts: Pick<PartnerOrderParts, "rates" | "assets">,
  markupBps: bigint,
): CodedError {
  if (!(error instanceof RateChanged)) return error;
  const rate = presentRate(parts, error.rate, markupBps);
  return new CodedError(error.code, error.message, { data: { ...error.data, rate }, cause: error });
}

/** The reason names what a first payment to an account must bring; what that costs depends on the partner's markup. */
function withReserveCost(
  error: CodedError,
  rates: PartnerOrderParts["rates"],
  given: RateRequest,
  markupBps: bigint,
): CodedError {
  const { accountReserve, reasons } = error.data ?? {};
  if (!isDecimal(accountReserve) || !Array.isArray(reasons)) return error;
  const counted = { claimedDepositAmount: accountReserve, claimedDepositAmountCurrency: given.instrumentToSlug };
  const enough: RateRequest = { ...given, ...counted };
  if (rates.refusals(enough, markupBps).length > 0) return error;
  const { amountToGive } = rates.pairData(enough, markupBps);
  const named = reasons.map((reason: RefusalReason) => ({ ...reason, sourceAmountLimit: amountToGive }));
  return new CodedError(error.code, error.message, { data: { ...error.data, reasons: named }, cause: error });
}

const NO_SANDBOX = { sandboxOutcome: "is for a sandbox, and this is none" };

function refOf(catalogue: Catalogue, slug: string) {
  const found = catalogue.instruments.get(slug);
  if (found === undefined) throw new Error(`${slug} has left the catalogue`);
  return found;
}

/** An order as partners see it: with ids, and with its value in US dollars. */
export function presentPartnerOrder(assets: Assets, { order, ...about }: PartnerOrder): Answer {
  const { instrumentFrom, instrumentTo } = order.pair;
  const pair = { instrumentFrom: assets.withIds(instrumentFrom), instrumentTo: assets.withIds(instrumentTo) };
  const prices = order.finalPricesUsd ?? order.pricesUsd;
  const received = sumOf(
    order.deposits.map(({ amount }) => amount),
    instrumentFrom.precisionDecimals,
  );
  return {
    ...order,
    ...about,
    ...orderInUnits(order),
    pair,
    amountFromUsd: prices && usd(received ?? order.claimedDepositAmount, prices.from),
    // Nothing of what was quoted arrived.
    amountToUsd: about.state === "REFUNDED" ? null : prices && usd(order.amountToGet, prices.to),
  };
}

/** Null of none. */
function sumOf(amounts: readonly string[], decimals: number): string | null {
  if (amounts.length === 0) return null;
  return formatAmount(
    amounts.reduce((sum, amount) => sum + (parseAmount(amount, decimals) ?? 0n), 0n),
    decimals,
  );
}

/** More decimals than any amount and any price. */
const DECIMALS = 40;
const CENTS = 2;

function usd(amount: string, price: string): string | null {
  const [units, each] = [parseAmount(amount, DECIMALS), parseAmount(price, DECIMALS)];
  if (units === null || each === null) return null;
  return formatAmount(divideDown(units * each, powerOfTen(2 * DECIMALS - CENTS)), CENTS);
}

const invalid = (data: Record<string, string>): CodedError =>
  new CodedError("ERR_VALIDATION", "The request is not valid", { data });

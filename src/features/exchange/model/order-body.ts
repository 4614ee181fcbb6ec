import type { BodyInput } from "#contract/calls.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { PairData } from "#contract/rate.ts";

export type OrderBody = BodyInput<"createOrder">;

/** What a person decided on the destination step. */
type OrderChoice = {
  rate: PairData;
  /** Null for a sale to a card. */
  destinationAddress: string | null;
  /** Null unless the receiving instrument requires one and it is not waived. */
  destinationAddressMemo: string | null;
  refundAddress: string;
  refundAddressMemo: string;
  userEmail: string | null;
  referrerId: string | null;
  /** Where the visit came from (spec §3). */
  utmData?: OrderBody["utmData"];
  browserFingerprint: string;
  /** The language of the page, in which the order is written about. */
  locale: string;
  shell?: OrderBody["shell"];
};

/** The create-order payload of spec §3, claimed from the rate that is on the screen. */
export function orderBody(choice: OrderChoice): OrderBody {
  const { rate } = choice;
  const isFixed = rate.rateMode === "FIXED";
  return {
    rateMode: rate.rateMode,
    instrumentFrom: reference(rate.instrumentFrom),
    instrumentTo: reference(rate.instrumentTo),
    destinationAddress: choice.destinationAddress?.trim() ?? null,
    destinationAddressMemo: choice.destinationAddressMemo,
    refundAddress: isFixed ? choice.refundAddress.trim() : null,
    refundAddressMemo: isFixed ? emptyAsNull(choice.refundAddressMemo) : null,
    claimedPublicRate: {
      finalNetworkFeeAmount: rate.finalNetworkFeeAmount,
      platformFee_Absolute: rate.platformFee_Absolute,
      price: rate.price,
      quotes: rate.quotes,
      updatedAt: rate.updatedAt,
      claimedAmountToReceive: rate.amountToGet,
    },
    claimedNetworkFee: rate.finalNetworkFeeAmount,
    userEmail: choice.userEmail,
    referrerId: choice.referrerId,
    claimedDepositAmount: rate.amountToGive,
    utmData: choice.utmData ?? null,
    browserFingerprint: choice.browserFingerprint,
    locale: choice.locale,
    ...(choice.shell && { shell: choice.shell }),
  };
}

/**
 * What makes two presses the same order to a person: all that was chosen, with the amount on the side that was typed, but
 * neither the rate, which moves between the presses, nor what goes along with the order, as its email and its referrer.
 */
export function orderIdentity(body: OrderBody, typed: { side: string; amount: string }): string {
  const {
    claimedPublicRate: _rate,
    claimedNetworkFee: _fee,
    claimedDepositAmount: _amount,
    userEmail: _email,
    referrerId: _referrer,
    locale: _locale,
    utmData: _utm,
    browserFingerprint: _browser,
    shell: _shell,
    ...chosen
  } = body;
  return JSON.stringify({ ...chosen, typed });
}

const reference = ({ currencyTitle, networkTitle, slug }: Instrument) => ({ currencyTitle, networkTitle, slug });

const emptyAsNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());

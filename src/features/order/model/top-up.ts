import { compareDecimals, decimalDistance } from "#contract/money.ts";
import type { TFunction } from "i18next";
import type { Instrument } from "#contract/instrument.ts";
import type { Order } from "#contract/order.ts";
import { exactCoinText } from "./amount-text.ts";

type Attention = NonNullable<Order["attention"]>;

export type TopUp = {
  /** What lacks to the minimum. */
  missing: string;
  /** The least that one more deposit must be: a smaller one would not count, though it completed the minimum (contract §3). */
  least: string;
  /** Whether that is more than what lacks. */
  isMore: boolean;
};

/** What an order under its minimum needs, in the sending coin. */
export function topUpOf({ expected, received, countsFrom }: Attention): TopUp {
  const missing = decimalDistance(expected, received);
  const isMore = countsFrom !== null && compareDecimals(countsFrom, missing) > 0;
  return { missing, least: isMore ? countsFrom : missing, isMore };
}

/** How much more to send, and where to. */
export function topUpText(t: TFunction<"order">, attention: Attention, instrument: Instrument): string {
  const { least, isMore } = topUpOf(attention);
  const network = instrument.networkFriendlyTitle;
  const text = t("attention.topUpText", { least: exactCoinText(least, instrument), network });
  return isMore ? `${text} ${t("attention.topUpMore")}` : text;
}

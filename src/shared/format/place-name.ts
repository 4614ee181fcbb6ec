import type { TFunction } from "i18next";
import type { Instrument } from "#contract/instrument.ts";

type Placed = Pick<Instrument, "instrumentType" | "networkFriendlyTitle">;

/** Where a side of an exchange is paid: a coin's network by its own name, a currency's card in the reader's language. */
export const placeName = ({ instrumentType, networkFriendlyTitle }: Placed, common: TFunction<"common">): string =>
  instrumentType === "fiat" ? common("card") : networkFriendlyTitle;

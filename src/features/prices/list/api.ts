import { browserApi } from "../../../shared/http/http.ts";
import { loadPriceList, type PriceListData } from "../load.ts";

/** The list of coins as it is now, and the moment that it was read, ISO-8601. */
export const readPriceList = async (): Promise<PriceListData & { readonly at: string }> => ({
  ...(await loadPriceList(browserApi)),
  at: new Date().toISOString(),
});

import shipped from "../../../server/catalogue/catalogue.json" with { type: "json" };
import { readCatalogue } from "../../../server/catalogue/catalogue.ts";
import type { Catalogue } from "../../../server/catalogue/index.ts";

const XRP = { friendlyTitle: "XRP Ledger", explorerTx: null, explorerAddress: null, confirmations: 1 };
const xrp = {
  slug: "xrp",
  currencyTitle: "XRP",
  networkTitle: "XRP",
  currencyFriendlyTitle: "XRP",
  bestChangeName: "XRP",
  requiresMemo: true,
  decimals: 6,
  isPopular: false,
  isActive: true,
};

/** The catalogue that ships, in which BTC (2 confirmations) and XRP (1, with tags) are traded. */
export function simulatedCatalogue(): Catalogue {
  const others = shipped.instruments.filter((instrument) => instrument.slug !== "btc" && instrument.slug !== "xrp");
  const btc = shipped.instruments.filter((instrument) => instrument.slug === "btc");
  return readCatalogue({
    ...shipped,
    networks: { ...shipped.networks, XRP },
    instruments: [...others, ...btc.map((instrument) => ({ ...instrument, isActive: true })), xrp],
  });
}

/** The networks whose addresses are understood, by their titles in the catalogue. A record of all of them does not compile when one is missing. */
export const NETWORK_TITLES = [
  "ETH",
  "BTC",
  "LTC",
  "DOGE",
  "BCH",
  "XRP",
  "XLM",
  "TON",
  "SOL",
  "ADA",
  "TRX",
  "XMR",
  "IOTX",
] as const;
export type NetworkTitle = (typeof NETWORK_TITLES)[number];

import type { CardInstrument, CardPair } from "../port.ts";

/** What Mercuryo calls the networks of the coins that it trades. */
const NETWORKS: Readonly<Record<string, string>> = {
  BTC: "BITCOIN",
  ETH: "ETHEREUM",
  LTC: "LITECOIN",
  TRX: "TRON",
  SOL: "SOLANA",
  XRP: "RIPPLE",
  XLM: "STELLAR",
  TON: "NEWTON",
  DOGE: "DOGECOIN",
  BCH: "BITCOINCASH",
  ADA: "CARDANO",
};
const COINS: ReadonlySet<string> = new Set([...Object.keys(NETWORKS), "USDT", "USDC", "DAI"]);
const FIATS: ReadonlySet<string> = new Set(["USD", "EUR"]);

const isFiat = ({ currencyTitle, networkTitle }: CardInstrument): boolean =>
  FIATS.has(currencyTitle) && networkTitle === currencyTitle;

export const isTraded = (instrument: CardInstrument): boolean =>
  isFiat(instrument) || (COINS.has(instrument.currencyTitle) && networkOf(instrument) !== undefined);

export const networkOf = ({ networkTitle }: Pick<CardInstrument, "networkTitle">): string | undefined =>
  NETWORKS[networkTitle];

export const networkQuery = (coin: CardInstrument): Record<string, string> => {
  const network = networkOf(coin);
  return network === undefined ? {} : { network };
};

export const sidesOf = ({ direction, fiat, coin }: CardPair): [CardInstrument, CardInstrument] =>
  direction === "buy" ? [fiat, coin] : [coin, fiat];

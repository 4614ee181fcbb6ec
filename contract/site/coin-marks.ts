/** A part of a mark: its outline, and its opacity where it is not whole. */
type MarkPart = readonly [outline: string, opacity?: string];
export type CoinMark = { readonly colour: string; readonly parts: readonly MarkPart[] };

/** White marks on a 32 grid, by the coin's ticker: those of the first paint. */
export const MARKS: Readonly<Record<string, CoinMark>> = {
  ETH: {
    colour: "#627EEA",
    parts: [
      ["M16 4.5v8.5l7 3.1z", ".6"],
      ["M16 4.5 9 16.1l7-3.1zM16 21.4v6.1l7-9.7z"],
      ["M16 27.5v-6.1l-7-3.6zM16 20.1l7-4-7-3.1z", ".8"],
      ["m9 16.1 7 4V13z", ".6"],
    ],
  },
  USDT: {
    colour: "#26A17B",
    parts: [
      [
        "M17.9 17.2c-.1 0-.7.1-1.9.1s-1.6 0-1.9-.1c-3.7-.2-6.5-.8-6.5-1.6s2.8-1.4 6.5-1.6v2.6c.3 0 .9.1 1.9.1s1.7-.1 1.9-.1V14c3.7.2 6.4.8 6.4 1.6s-2.7 1.4-6.4 1.6m0-3.4v-2.3h5.3V8H8.8v3.5h5.3v2.3c-4.3.2-7.5 1.1-7.5 2.1s3.2 1.9 7.5 2.1V25.5h3.8V18c4.3-.2 7.5-1.1 7.5-2.1s-3.2-1.9-7.5-2.1",
      ],
    ],
  },
  USDC: {
    colour: "#2775CA",
    parts: [
      [
        "M20.4 18.3c0-2.3-1.4-3.1-4.2-3.5-2-.3-2.4-.8-2.4-1.7s.7-1.5 2-1.5c1.2 0 1.9.4 2.2 1.4.1.2.3.3.5.3h1.1c.3 0 .5-.2.5-.5-.3-1.5-1.3-2.5-3-2.8V8.5c0-.3-.2-.5-.6-.5h-1c-.3 0-.5.2-.6.5v1.5c-2.1.3-3.4 1.7-3.4 3.4 0 2.2 1.4 3.1 4.2 3.4 1.9.3 2.4.7 2.4 1.8s-1 1.8-2.3 1.8c-1.8 0-2.4-.8-2.6-1.7 0-.3-.2-.4-.5-.4h-1.1c-.3 0-.5.2-.5.5.3 1.6 1.3 2.8 3.4 3.1v1.6c0 .3.200.5.6.5h1c.3 0 .5-.2.6-.5v-1.6c2.1-.3 3.5-1.8 3.5-3.6Z",
      ],
      [
        "M12.6 25.1a9.7 9.7 0 0 1 0-18.2c.3-.1.4-.3.4-.6v-.9c0-.3-.1-.4-.4-.4l-.2.1a11.6 11.6 0 0 0 0 22c.3.1.5 0 .6-.3v-1c0-.2-.2-.5-.4-.7Zm7-20.1c-.3-.1-.5 0-.6.3v1c0 .2.2.5.4.7a9.7 9.7 0 0 1 0 18.2c-.3.1-.4.3-.4.6v.9c0 .3.1.4.4.4l.2-.1a11.6 11.6 0 0 0 0-22Z",
      ],
    ],
  },
  DAI: {
    colour: "#C98A0E",
    parts: [
      [
        "M9.5 8.5h6.8c4 0 6.6 2 7.5 5h1.7v1.6h-1.4a8 8 0 0 1 0 1.8h1.4v1.6h-1.7c-.9 3-3.5 5-7.5 5H9.5v-5H6.5v-1.6h3v-1.8h-3v-1.6h3v-5Zm1.8 5h10.5c-.8-2.1-2.7-3.3-5.6-3.3h-4.9v3.3Zm0 5v3.3h4.9c2.9 0 4.8-1.2 5.6-3.3H11.3Zm0-3.4v1.8h10.9a6 6 0 0 0 0-1.8H11.3Z",
      ],
    ],
  },
};

/**
 * Colours of the coins whose marks are drawn in `public/icons/coins.svg`, which loads once one of them is shown; others
 * get their first letter.
 */
export const FILE_MARKS: Readonly<Record<string, string>> = {
  ADA: "#0033AD",
  BCH: "#0AC18E",
  BTC: "#F7931A",
  DOGE: "#BA9F33",
  IOTX: "#0F9A9B",
  LTC: "#345D9D",
  SOL: "#1A1033",
  TON: "#0098EA",
  TRX: "#E50915",
  XLM: "#3E1BDB",
  XMR: "#FF6600",
  XRP: "#23292F",
};

/** Symbols of states' money; other instruments show the first letter of their ticker. */
export const FIAT_SYMBOLS: Readonly<Record<string, string>> = {
  USD: "$",
  EUR: "€",
  GBP: "£",
  RUB: "₽",
  UAH: "₴",
  KZT: "₸",
  TRY: "₺",
};

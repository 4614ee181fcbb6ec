import type { NetworkTitle } from "#contract/network-titles.ts";

const BASE58 = "[1-9A-HJ-NP-Za-km-z]";
/** EVM networks share one form. */
const EVM = /^0x[0-9a-f]{40}$/i;

/** How whole addresses of a network look, by its title; their checksums are the service's to judge. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  ETH: EVM,
  IOTX: EVM,
  BTC: new RegExp(`^(?:(?:bc|tb|bcrt)1[a-z0-9]{38,71}|[123mn]${BASE58}{25,34})$`, "i"),
  LTC: new RegExp(`^(?:(?:ltc|tltc|rltc)1[a-z0-9]{38,71}|[LM3mn2Q]${BASE58}{25,34})$`),
  DOGE: new RegExp(`^[DA9mn2]${BASE58}{25,34}$`),
  BCH: new RegExp(`^(?:(?:bitcoincash:)?[qp][a-z0-9]{41}|[13]${BASE58}{25,34})$`, "i"),
  XRP: new RegExp(`^(?:r${BASE58}{24,34}|X${BASE58}{46})$`),
  XLM: /^[GM][A-Z2-7]{55,68}$/,
  TON: /^(?:[\w+/-]{48}|-?\d:[0-9a-f]{64})$/i,
  SOL: new RegExp(`^${BASE58}{32,44}$`),
  ADA: new RegExp(`^(?:addr1[a-z0-9]{50,105}|(?:Ae2|DdzFF)${BASE58}{50,110})$`),
  TRX: new RegExp(`^T${BASE58}{33}$`),
  XMR: new RegExp(`^[48]${BASE58}{94}(?:${BASE58}{11})?$`),
} satisfies Record<NetworkTitle, RegExp>;

/** Whether a text reads as a whole address of a network, so that a few characters may be all that is wrong with it; false for an unknown one. */
export const hasAddressShape = (networkTitle: string, text: string): boolean =>
  SHAPES[networkTitle]?.test(text.trim()) ?? false;

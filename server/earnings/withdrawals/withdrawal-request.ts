import { ADDRESS_UNPAYABLE } from "#contract/address.ts";
import type { CreateWithdrawalBody } from "#contract/accounts/earnings.ts";
import { CodedError } from "#contract/errors.ts";
import { formatAmount, maxOf, parseAmount } from "#contract/money.ts";
import { readAmount, requireInstrument, type Catalogue, type CatalogueInstrument } from "../../catalogue/index.ts";
import type { NetworkReader } from "../../chains/port.ts";
import type { Database } from "../../db/database.ts";
import type { Rates } from "../../rates/port.ts";
import { marketValue } from "../../rates/quote.ts";
import { findUnpayable } from "../../treasury/index.ts";
import { blacklisted, isBlacklisted } from "../../blacklist/index.ts";

export type RequestParts = {
  database: Database;
  catalogue: Catalogue;
  readers: ReadonlyMap<string, NetworkReader>;
  rates: Pick<Rates, "networkFee" | "priceUsd">;
  /** Takes the address of T and 33 ones, to which nothing is sent. */
  isSandbox: boolean;
};

/** What a sandbox takes, and sends nothing to (spec §5). */
export const TEST_ADDRESS = `T${"1".repeat(33)}`;
/** spec §5. */
const T_ADDRESS = /^T.{33}$/u;

/** `networkFee` is in the instrument's own units; `paid` is what leaves in its place, where that is another coin. */
export type WithdrawalRequest = {
  instrument: CatalogueInstrument;
  network: string;
  address: string;
  amount: bigint;
  networkFee: bigint;
  paid: { slug: string; amount: bigint } | null;
};

/** Reads what is asked for and judges what needs no lock; throws the contract's errors (contract §9). */
export async function readRequest(
  parts: RequestParts,
  body: CreateWithdrawalBody,
  paidIn?: string,
): Promise<WithdrawalRequest> {
  const instrument = instrumentOf(parts.catalogue, body);
  const coin = paidIn === undefined ? instrument : requireInstrument(parts.catalogue, paidIn);
  const reader = parts.readers.get(coin.networkTitle);
  if (reader === undefined) throw notSupported(coin.networkTitle);
  const address = await readAddress(parts, reader, body.address.trim());
  const amount = readAmount(instrument, body.amount, "amount");
  const networkFee = feeOf(parts, instrument, coin);
  const minimum = minimumOf(parts.catalogue, instrument, networkFee, coin);
  if (amount < minimum)
    throw new CodedError(
      "ERR_WITHDRAWAL_TOO_SMALL",
      `${formatAmount(minimum, instrument.decimals)} ${instrument.currencyTitle} is the smallest withdrawal`,
    );
  const network = coin.networkTitle;
  if (coin.slug === instrument.slug) return { instrument, network, address, amount, networkFee, paid: null };
  const paid = { slug: coin.slug, amount: worth(parts, amount - networkFee, instrument, coin) };
  return { instrument, network, address, amount, networkFee, paid };
}

/** What paying out a coin costs, in the units of what is withdrawn; rounded up. */
export function feeOf(
  { rates }: Pick<RequestParts, "rates">,
  instrument: CatalogueInstrument,
  coin: CatalogueInstrument,
): bigint {
  const fee = rates.networkFee(coin.slug);
  return coin.slug === instrument.slug ? fee : worth({ rates }, fee, coin, instrument) + 1n;
}

/** At the market's price, rounded down. Throws without one. */
function worth(
  { rates }: Pick<RequestParts, "rates">,
  amount: bigint,
  of: CatalogueInstrument,
  coin: CatalogueInstrument,
): bigint {
  const side = ({ slug, decimals }: CatalogueInstrument) => {
    const priceUsd = rates.priceUsd(slug);
    if (priceUsd === null) throw new CodedError("ERR_SERVICE_UNAVAILABLE", `There is no price of ${slug} now`);
    return { decimals, priceUsd };
  };
  return marketValue(side(of), side(coin), amount);
}

function instrumentOf(
  { instruments, terms }: Catalogue,
  { currencyTitle, networkTitle }: CreateWithdrawalBody,
): CatalogueInstrument {
  const earned = instruments.get(terms.earningsSlug);
  if (earned === undefined || earned.networkTitle !== networkTitle) throw notSupported(networkTitle);
  if (earned.currencyTitle !== currencyTitle)
    throw new CodedError("ERR_BALANCE_NOT_FOUND", `There is no balance of ${currencyTitle}`);
  return earned;
}

const notSupported = (networkTitle: string) =>
  new CodedError("ERR_NETWORK_NOT_SUPPORTED", `Nothing can be withdrawn on ${networkTitle} now`);

/** What is withdrawn must pay for its own way, and something must arrive. */
export function minimumOf(
  { terms }: Pick<Catalogue, "terms">,
  { slug, decimals }: CatalogueInstrument,
  networkFee: bigint,
  coin: Pick<CatalogueInstrument, "slug">,
): bigint {
  const minimum = parseAmount(terms.withdrawalMinUsdt, decimals);
  if (minimum === null) throw new RangeError(`the minimum has too many decimals: ${terms.withdrawalMinUsdt}`);
  // What arrives in another coin would else be dust that its network does not carry.
  if (coin.slug !== slug) return minimum + networkFee;
  return maxOf(minimum, networkFee + 1n);
}

/** Refuses an address of withdrawals to come, paid in a coin, as `withdraw` does. */
export async function requireWithdrawalAddress(
  parts: RequestParts,
  { networkTitle }: CatalogueInstrument,
  address: string,
): Promise<void> {
  const reader = parts.readers.get(networkTitle);
  if (reader === undefined) throw notSupported(networkTitle);
  await readAddress(parts, reader, address);
}

/** In the network's canonical form. */
async function readAddress(parts: RequestParts, reader: NetworkReader, text: string): Promise<string> {
  const isOnTron = reader.networkTitle === "TRX";
  if (isOnTron && text === TEST_ADDRESS && parts.isSandbox) return text;
  const parsed = isOnTron && !T_ADDRESS.test(text) ? null : reader.parseAddress(text);
  if (parsed?.valid !== true) throw refusedAddress("error_address_incorrect");
  const asked = { networkTitle: reader.networkTitle, address: parsed.canonical };
  if ((await findUnpayable(parts, [asked])) !== null) throw refusedAddress(ADDRESS_UNPAYABLE);
  if (await isBlacklisted(parts.database.kysely, [parsed.canonical])) throw blacklisted();
  return parsed.canonical;
}

const refusedAddress = (reason: string) =>
  new CodedError("ERR_VALIDATION", "The request is not valid", { data: { address: reason } });

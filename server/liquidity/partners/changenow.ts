import * as z from "zod";
import { isSameAddress } from "#contract/address.ts";
import { formatAmount, readExternalDecimal } from "#contract/money.ts";
import {
  PartnerError,
  type ExchangeRequest,
  type LiquidityPartner,
  type OpenedExchange,
  type PartnerPair,
  type PartnerStatus,
  type TradedInstrument,
} from "../port.ts";
import { changeNowAddresses } from "./addresses.ts";
import {
  amountSchema,
  answerReader,
  cached,
  idSchema,
  isSameContract,
  optionalTextSchema,
  partnerHttp,
  requireAccess,
  type PartnerAnswer,
} from "./client.ts";

const COINS_VALID_MS = 600_000;
const LISTED = 99;

/** Our networks by the names that its documents use; a coin counts only when its own list has it. */
const NETWORKS: ReadonlyMap<string, string> = new Map([
  ["ETH", "eth"],
  ["BTC", "btc"],
  ["LTC", "ltc"],
  ["XMR", "xmr"],
  ["TRX", "trx"],
  ["SOL", "sol"],
  ["XRP", "xrp"],
  ["XLM", "xlm"],
  ["TON", "ton"],
  ["DOGE", "doge"],
  ["BCH", "bch"],
  ["ADA", "ada"],
]);

const text = z.string().min(1).max(256);
const read = answerReader("ChangeNOW");

const coinsSchema = z.array(z.object({ ticker: z.string(), network: z.string(), tokenContract: z.string().nullish() }));
const rangeSchema = z.object({ minAmount: amountSchema, maxAmount: amountSchema.nullish() });
const estimateSchema = z.object({ fromAmount: amountSchema, toAmount: amountSchema });
const openedSchema = z.object({
  id: idSchema,
  payinAddress: text,
  payinExtraId: optionalTextSchema,
  payoutAddress: optionalTextSchema,
  refundAddress: optionalTextSchema,
});
const listSchema = z.object({
  exchanges: z.array(
    z.object({
      requestId: idSchema,
      payin: z.object({ address: optionalTextSchema, extraId: optionalTextSchema }),
      payout: z.object({ address: optionalTextSchema }),
      refund: z.object({ address: optionalTextSchema, extra_id: optionalTextSchema }).nullish(),
    }),
  ),
});
const statusSchema = z.object({
  status: z.string().max(40),
  payoutHash: optionalTextSchema,
  amountTo: amountSchema.nullish(),
});
const failureSchema = z.object({ error: z.string().max(200), message: z.string().max(500).nullish() });

export type ChangeNowOptions = { url: string; apiKey: string; timeoutMs?: number };

/** ChangeNOW's API v2, standard flow, by its public documents. */
export function createChangeNow({ url, apiKey, timeoutMs }: ChangeNowOptions): LiquidityPartner {
  const ask = partnerHttp(url, { "x-changenow-api-key": apiKey }, timeoutMs);
  const byId = (id: string) => ask("GET", "exchange/by-id", { query: { id } });

  const coins = cached(async () => {
    const answer = await ask("GET", "exchange/currencies", { query: { active: "true", isFiat: "false" } });
    return read(coinsSchema, answer, "the list of coins");
  }, COINS_VALID_MS);

  const coinOf = async (instrument: TradedInstrument): Promise<{ ticker: string; network: string } | null> => {
    const network = NETWORKS.get(instrument.networkTitle);
    const ticker = instrument.currencyTitle.toLowerCase();
    const found = (await coins()).find(
      (coin) =>
        coin.ticker === ticker &&
        coin.network === network &&
        isSameContract(coin.tokenContract || null, instrument.contractAddress),
    );
    return found ?? null;
  };

  const pairQuery = async ({ from, to }: PartnerPair): Promise<Record<string, string> | null> => {
    const [fromCoin, toCoin] = [await coinOf(from), await coinOf(to)];
    if (fromCoin === null || toCoin === null) return null;
    return {
      fromCurrency: fromCoin.ticker,
      fromNetwork: fromCoin.network,
      toCurrency: toCoin.ticker,
      toNetwork: toCoin.network,
      flow: "standard",
    };
  };

  return {
    code: "changenow",

    async quote(pair, amounts) {
      const query = await pairQuery(pair);
      if (query === null) return [];
      const ranged = await ask("GET", "exchange/range", { query });
      requireAccess(ranged, "ChangeNOW's ranges");
      if (ranged.status !== 200) return [];
      const range = read(rangeSchema, ranged, "the range of a pair");
      const min = readExternalDecimal(range.minAmount, pair.from.decimals, "up");
      const max = range.maxAmount == null ? null : readExternalDecimal(range.maxAmount, pair.from.decimals);
      const points = [];
      for (const amountFrom of amounts) {
        if (min === null || amountFrom < min || (max !== null && amountFrom > max)) continue;
        const fromAmount = formatAmount(amountFrom, pair.from.decimals);
        const answer = await ask("GET", "exchange/estimated-amount", {
          query: { ...query, fromAmount, type: "direct" },
        });
        requireAccess(answer, "ChangeNOW's estimates");
        if (answer.status !== 200) continue;
        const amountTo = readExternalDecimal(read(estimateSchema, answer, "an estimate").toAmount, pair.to.decimals);
        if (amountTo !== null && amountTo > 0n) points.push({ amountFrom, amountTo });
      }
      return points;
    },

    async open(request) {
      try {
        const query = await pairQuery(request.pair);
        if (query === null) return { kind: "refused", reason: "the pair is not offered" };
        const answer = await ask("POST", "exchange", { body: { ...query, ...bodyOf(request) } });
        if (answer.status >= 400) return { kind: "refused", reason: reasonOf(answer) };
        return { kind: "opened", exchange: toExchange(read(openedSchema, answer, "the new exchange")) };
      } catch (error) {
        if (error instanceof PartnerError) return { kind: "unknown", reason: error.message };
        throw error;
      }
    },

    async find({ destination, refund }, since) {
      const answer = await ask("GET", "exchanges", {
        query: {
          limit: String(LISTED),
          offset: "0",
          sortDirection: "DESC",
          sortField: "createdAt",
          payoutAddress: destination.address,
          dateField: "createdAt",
          dateFrom: since.toISOString(),
        },
      });
      // Some keys may not list.
      if (answer.status === 401 || answer.status === 403) return { kind: "unsupported" };
      const { exchanges } = read(listSchema, answer, "the list of exchanges");
      // A refund address belongs to one exchange alone, so it identifies it.
      const found = exchanges.find(
        (one) =>
          one.refund?.address &&
          isSameAddress(one.refund.address, refund.address) &&
          one.refund.extra_id === refund.memo &&
          one.payin.address,
      );
      if (!found?.payin.address) return { kind: "absent" };
      const exchange = toExchange({
        id: found.requestId,
        payinAddress: found.payin.address,
        payinExtraId: found.payin.extraId,
        payoutAddress: found.payout.address,
        refundAddress: found.refund?.address ?? null,
      });
      return { kind: "found", exchange };
    },

    status: async (id, { to }) => toStatus(read(statusSchema, await byId(id), "an exchange"), to.decimals),

    async addresses(id) {
      const answer = await byId(id);
      return answer.status === 404 ? null : read(changeNowAddresses, answer, "an exchange");
    },
  };
}

const bodyOf = ({ amount, pair, destination, refund, clientId }: ExchangeRequest) => ({
  fromAmount: formatAmount(amount, pair.from.decimals),
  toAmount: "",
  address: destination.address,
  extraId: destination.memo ?? "",
  refundAddress: refund.address,
  refundExtraId: refund.memo ?? "",
  contactEmail: "",
  userId: "",
  payload: { clientId },
  type: "direct",
  rateId: "",
});

const toExchange = (opened: z.output<typeof openedSchema>): OpenedExchange => ({
  partnerId: opened.id,
  deposit: { address: opened.payinAddress, memo: opened.payinExtraId },
  destination: opened.payoutAddress,
  refund: opened.refundAddress,
  min: null,
  max: null,
  expiresAt: null,
});

function toStatus({ status, payoutHash, amountTo }: z.output<typeof statusSchema>, decimals: number): PartnerStatus {
  switch (status) {
    case "new":
    case "waiting":
      return { kind: "waiting" };
    case "confirming":
    case "exchanging":
    case "sending":
      return { kind: "working" };
    case "finished": {
      const delivered = readExternalDecimal(amountTo ?? "", decimals);
      // Without its transaction and sum it is only about to be finished.
      if (payoutHash === null || delivered === null || delivered <= 0n) return { kind: "working" };
      return { kind: "finished", txId: payoutHash, amount: delivered };
    }
    case "verifying":
      return { kind: "review", reason: "verifying" };
    case "failed":
      return { kind: "returning" };
    case "refunded":
      return { kind: "returned" };
    case "expired":
      return { kind: "expired" };
    default:
      throw new PartnerError(`an unknown status of ChangeNOW: ${status}`);
  }
}

function reasonOf({ status, body }: PartnerAnswer): string {
  const parsed = failureSchema.safeParse(body);
  return parsed.success ? `${status} ${parsed.data.error} ${parsed.data.message ?? ""}`.trim() : String(status);
}

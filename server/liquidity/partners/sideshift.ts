import { isIP } from "node:net";
import * as z from "zod";
import { formatAmount, powerOfTen, readExternalDecimal } from "#contract/money.ts";
import {
  PartnerError,
  type ExchangeRequest,
  type LiquidityPartner,
  type OpenedExchange,
  type PartnerStatus,
  type TradedInstrument,
} from "../port.ts";
import { sideShiftAddresses } from "./addresses.ts";
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
/** Rates have more figures than any coin has decimals. */
const RATE_DECIMALS = 40;

/** Networks of tokens by its names; a coin of its own network is found by the `mainnet` that its list gives. */
const TOKEN_NETWORKS: ReadonlyMap<string, string> = new Map([
  ["ETH", "ethereum"],
  ["TRX", "tron"],
  ["SOL", "solana"],
  ["TON", "ton"],
  ["XLM", "stellar"],
]);

const text = z.string().min(1).max(256);
const read = answerReader("SideShift");

const coinsSchema = z.array(
  z.object({
    coin: z.string(),
    networks: z.array(z.string()),
    mainnet: z.string().nullish(),
    tokenDetails: z.record(z.string(), z.object({ contractAddress: z.string() })).nullish(),
  }),
);
const pairSchema = z.object({ min: amountSchema, max: amountSchema, rate: amountSchema });
const shiftSchema = z.object({
  id: idSchema,
  depositAddress: text,
  depositMemo: optionalTextSchema,
  settleAddress: optionalTextSchema,
  refundAddress: optionalTextSchema,
  depositMin: amountSchema,
  depositMax: amountSchema,
  expiresAt: z.iso.datetime(),
  type: z.literal("variable"),
});
const statusSchema = z.object({
  status: z.string().max(40),
  settleHash: optionalTextSchema,
  settleAmount: amountSchema.nullish(),
});
const failureSchema = z.object({
  error: z.object({ code: z.string().max(80).nullish(), message: z.string().max(500) }),
});

export type SideShiftOptions = { url: string; secret: string; affiliateId: string; timeoutMs?: number };
type Coin = { coin: string; network: string };

/** SideShift's API v2, variable shifts, by its public documents. Each takes exactly one deposit here: the one that pays it. */
export function createSideShift({ url, secret, affiliateId, timeoutMs }: SideShiftOptions): LiquidityPartner {
  const ask = partnerHttp(url, { "x-sideshift-secret": secret }, timeoutMs);

  const coins = cached(async () => read(coinsSchema, await ask("GET", "coins"), "the list of coins"), COINS_VALID_MS);

  const coinOf = async (instrument: TradedInstrument): Promise<Coin | null> => {
    const found = (await coins()).find(({ coin }) => coin === instrument.currencyTitle);
    if (found === undefined) return null;
    const isNative = instrument.contractAddress === null && instrument.currencyTitle === instrument.networkTitle;
    const network = isNative ? found.mainnet : TOKEN_NETWORKS.get(instrument.networkTitle);
    if (!network || !found.networks.includes(network)) return null;
    const contract = found.tokenDetails?.[network]?.contractAddress ?? null;
    return isSameContract(contract, instrument.contractAddress) ? { coin: found.coin, network } : null;
  };

  return {
    code: "sideshift",

    async quote({ from, to }, amounts) {
      const [fromCoin, toCoin] = [await coinOf(from), await coinOf(to)];
      if (fromCoin === null || toCoin === null) return [];
      const path = `pair/${nameOf(fromCoin)}/${nameOf(toCoin)}`;
      const points = [];
      for (const amountFrom of amounts) {
        const answer = await ask("GET", path, {
          query: { amount: formatAmount(amountFrom, from.decimals), affiliateId },
        });
        requireAccess(answer, "SideShift's pairs");
        if (answer.status !== 200) continue;
        const { min, max, rate } = read(pairSchema, answer, "a pair");
        const [minAmount, maxAmount] = [
          readExternalDecimal(min, from.decimals, "up"),
          readExternalDecimal(max, from.decimals),
        ];
        const scaled = readExternalDecimal(rate, RATE_DECIMALS);
        if (minAmount === null || maxAmount === null || scaled === null) continue;
        if (amountFrom < minAmount || amountFrom > maxAmount) continue;
        const amountTo = (amountFrom * scaled * powerOfTen(to.decimals)) / powerOfTen(RATE_DECIMALS + from.decimals);
        if (amountTo > 0n) points.push({ amountFrom, amountTo });
      }
      return points;
    },

    async open(request) {
      try {
        const [fromCoin, toCoin] = [await coinOf(request.pair.from), await coinOf(request.pair.to)];
        if (fromCoin === null || toCoin === null) return { kind: "refused", reason: "the pair is not offered" };
        const { userIp } = request;
        const answer = await ask("POST", "shifts/variable", {
          body: { ...bodyOf(request, fromCoin, toCoin), affiliateId },
          // Calls from a server name the person that they are for.
          ...(userIp !== null && isIP(userIp) !== 0 && { headers: { "x-user-ip": userIp } }),
        });
        if (answer.status >= 400) return { kind: "refused", reason: reasonOf(answer) };
        const shift = read(shiftSchema, answer, "the new shift");
        return { kind: "opened", exchange: toExchange(shift, request.pair.from.decimals) };
      } catch (error) {
        if (error instanceof PartnerError) return { kind: "unknown", reason: error.message };
        throw error;
      }
    },

    // A shift is found by its own id only. One that was opened without our learning of it is never paid, and expires.
    find: async () => ({ kind: "unsupported" }),

    async status(partnerId, { to }) {
      const answer = await ask("GET", `shifts/${partnerId}`);
      return toStatus(read(statusSchema, answer, "a shift"), to.decimals);
    },

    async addresses(partnerId) {
      const answer = await ask("GET", `shifts/${partnerId}`);
      return answer.status === 404 ? null : read(sideShiftAddresses, answer, "a shift");
    },
  };
}

const nameOf = ({ coin, network }: Coin): string => encodeURIComponent(`${coin.toLowerCase()}-${network}`);

const bodyOf = ({ destination, refund, clientId }: ExchangeRequest, fromCoin: Coin, toCoin: Coin) => ({
  settleAddress: destination.address,
  ...(destination.memo !== null && { settleMemo: destination.memo }),
  depositCoin: fromCoin.coin,
  depositNetwork: fromCoin.network,
  settleCoin: toCoin.coin,
  settleNetwork: toCoin.network,
  refundAddress: refund.address,
  ...(refund.memo !== null && { refundMemo: refund.memo }),
  externalId: clientId,
});

function toExchange(shift: z.output<typeof shiftSchema>, decimals: number): OpenedExchange {
  const [min, max] = [
    readExternalDecimal(shift.depositMin, decimals, "up"),
    readExternalDecimal(shift.depositMax, decimals),
  ];
  if (min === null || max === null) throw new PartnerError("SideShift gave bounds that can't be read");
  return {
    partnerId: shift.id,
    deposit: { address: shift.depositAddress, memo: shift.depositMemo },
    destination: shift.settleAddress,
    refund: shift.refundAddress,
    min,
    max,
    expiresAt: new Date(shift.expiresAt),
  };
}

function toStatus(
  { status, settleHash, settleAmount }: z.output<typeof statusSchema>,
  decimals: number,
): PartnerStatus {
  switch (status) {
    case "waiting":
      return { kind: "waiting" };
    case "pending":
    case "processing":
    case "settling":
      return { kind: "working" };
    case "settled": {
      const delivered = readExternalDecimal(settleAmount ?? "", decimals);
      if (settleHash === null || delivered === null || delivered <= 0n) return { kind: "working" };
      return { kind: "finished", txId: settleHash, amount: delivered };
    }
    case "review":
    case "multiple":
      return { kind: "review", reason: status };
    case "refund":
    case "refunding":
      return { kind: "returning" };
    case "refunded":
      return { kind: "returned" };
    case "expired":
      return { kind: "expired" };
    default:
      throw new PartnerError(`an unknown status of SideShift: ${status}`);
  }
}

function reasonOf({ status, body }: PartnerAnswer): string {
  const parsed = failureSchema.safeParse(body);
  return parsed.success ? `${status} ${parsed.data.error.code ?? ""} ${parsed.data.error.message}` : String(status);
}

import * as z from "zod";
import { asNumber, PartnerServer, type Asked, type HeldExchange, type Reply } from "./partner-server.ts";

export const CHANGENOW_KEY = "changenow-test-key";

const bodySchema = z.object({
  fromCurrency: z.string(),
  fromNetwork: z.string(),
  toCurrency: z.string(),
  toNetwork: z.string(),
  fromAmount: z.string(),
  toAmount: z.literal(""),
  address: z.string().min(1),
  extraId: z.string(),
  refundAddress: z.string(),
  refundExtraId: z.string(),
  payload: z.record(z.string().max(64), z.string().max(64)),
  flow: z.literal("standard"),
  type: z.literal("direct"),
});

const coin = (ticker: string, network: string, tokenContract: string | null = null) => ({
  ticker,
  network,
  tokenContract,
  name: ticker,
  hasExternalId: false,
  isFiat: false,
  buy: true,
  sell: true,
});

/** ChangeNOW's API v2 as in its public documents: numbers are JSON numbers, errors are `{ error, message }`. */
export class ChangeNowServer extends PartnerServer {
  coins = [
    coin("eth", "eth"),
    coin("btc", "btc"),
    coin("xrp", "xrp"),
    coin("usdt", "eth", "0xdac17f958d2ee523a2206206994597c13d831ec7"),
    coin("usdt", "trx", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
  ];
  /** A key that may not list exchanges. */
  mayList = true;

  reply(asked: Asked): Reply {
    if (asked.path === "exchange/currencies") return { status: 200, body: this.coins };
    if (asked.headers["x-changenow-api-key"] !== CHANGENOW_KEY) return refused(401, "unauthorized");
    switch (`${asked.method} ${asked.path}`) {
      case "GET exchange/range":
        return { status: 200, body: { minAmount: asNumber(this.min), maxAmount: asNumber(this.max) } };
      case "GET exchange/estimated-amount":
        return this.#estimate(asked.query.get("fromAmount") ?? "");
      case "POST exchange":
        return this.#create(asked.body);
      case "GET exchange/by-id":
        return this.#byId(asked.query.get("id"));
      case "GET exchanges":
        return this.mayList ? this.#list(asked.query) : refused(403, "forbidden");
      default:
        return refused(404, "not_found");
    }
  }

  #estimate(fromAmount: string): Reply {
    if (!this.isWithin(fromAmount)) return refused(400, "out_of_range");
    const toAmount = asNumber(this.deliver(fromAmount));
    return {
      status: 200,
      body: { fromAmount: asNumber(fromAmount), toAmount, rateId: null, validUntil: null, warningMessage: null },
    };
  }

  #create(body: unknown): Reply {
    const given = bodySchema.safeParse(body);
    if (!given.success) return refused(400, "bad_params");
    const { address, extraId, refundAddress, refundExtraId, fromAmount, payload } = given.data;
    if (!this.isWithin(fromAmount)) return refused(400, "out_of_range");
    const held = this.hold({
      clientId: payload["clientId"] ?? null,
      destination: { address, memo: extraId || null },
      refund: { address: refundAddress, memo: refundExtraId || null },
      amount: fromAmount,
      status: "waiting",
    });
    return {
      status: 200,
      body: {
        id: held.id,
        fromAmount: asNumber(fromAmount),
        toAmount: asNumber(this.deliver(fromAmount)),
        payinAddress: held.deposit.address,
        payinExtraId: held.deposit.memo ?? "",
        payoutAddress: address,
        payoutExtraId: extraId,
        refundAddress,
        flow: "standard",
        type: "direct",
      },
    };
  }

  #byId(id: string | null): Reply {
    const held = this.exchanges.find((one) => one.id === id);
    if (held === undefined) return refused(404, "not_found");
    return {
      status: 200,
      body: {
        id: held.id,
        status: held.status,
        amountFrom: asNumber(held.amount),
        amountTo: asNumber(held.delivered),
        payinAddress: held.deposit.address,
        payoutAddress: held.destination.address,
        payoutExtraId: held.destination.memo,
        payoutHash: held.payoutHash,
        refundAddress: held.refund.address,
      },
    };
  }

  #list(query: URLSearchParams): Reply {
    const since = query.get("dateFrom") ?? "";
    const exchanges = this.exchanges
      .filter((one) => one.destination.address === query.get("payoutAddress") && one.createdAt >= since)
      .map(toListed);
    return { status: 200, body: { count: exchanges.length, exchanges } };
  }
}

const toListed = (held: HeldExchange) => ({
  createdAt: held.createdAt,
  requestId: held.id,
  exchangeId: `other-${held.id}`,
  status: held.status,
  flow: "standard",
  payin: { address: held.deposit.address, extraId: held.deposit.memo, expectedAmount: asNumber(held.amount) },
  payout: { address: held.destination.address, extraId: held.destination.memo },
  refund: { address: held.refund.address, extra_id: held.refund.memo },
});

const refused = (status: number, error: string): Reply => ({
  status,
  body: { error, message: `${error}: in full` },
});

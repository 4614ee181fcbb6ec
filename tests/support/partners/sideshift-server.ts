import * as z from "zod";
import { formatAmount, parseAmount } from "#contract/money.ts";
import { PartnerServer, type Asked, type HeldExchange, type Reply } from "./partner-server.ts";

export const SIDESHIFT_SECRET = "sideshift-test-secret";
export const SIDESHIFT_AFFILIATE = "sideshift-test-affiliate";

const bodySchema = z.object({
  settleAddress: z.string().min(1),
  settleMemo: z.string().optional(),
  affiliateId: z.literal(SIDESHIFT_AFFILIATE),
  depositCoin: z.string(),
  depositNetwork: z.string(),
  settleCoin: z.string(),
  settleNetwork: z.string(),
  refundAddress: z.string().optional(),
  refundMemo: z.string().optional(),
  externalId: z.string().optional(),
});

/** SideShift's API v2 as in its public documents: amounts are strings, errors are `{ error: { code, message } }`. */
export class SideShiftServer extends PartnerServer {
  coins = [
    { coin: "ETH", networks: ["ethereum", "arbitrum"], mainnet: "ethereum" },
    { coin: "BTC", networks: ["bitcoin", "lightning"], mainnet: "bitcoin" },
    { coin: "XRP", networks: ["ripple"], mainnet: "ripple", networksWithMemo: ["ripple"] },
    {
      coin: "USDT",
      networks: ["ethereum", "tron"],
      mainnet: "ethereum",
      tokenDetails: {
        ethereum: { contractAddress: "0xdAC17F958D2ee523a2206206994597C13D831ec7", decimals: 6 },
        tron: { contractAddress: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", decimals: 6 },
      },
    },
  ];
  /** For how long a shift takes its deposit. */
  lifeMs = 7 * 86_400_000;

  reply(asked: Asked): Reply {
    if (asked.path === "coins") return { status: 200, body: this.coins };
    if (asked.headers["x-sideshift-secret"] !== SIDESHIFT_SECRET)
      return refused(401, "UNAUTHORIZED", "No such account");
    const [, shiftId] = /^shifts\/([\w-]+)$/.exec(asked.path) ?? [];
    if (asked.method === "POST" && asked.path === "shifts/variable") return this.#create(asked.body);
    if (asked.method === "GET" && shiftId !== undefined) return this.#shift(shiftId);
    if (asked.method === "GET" && asked.path.startsWith("pair/"))
      return this.#pair(asked.path, asked.query.get("amount"));
    return refused(404, "NOT_FOUND", "Not found");
  }

  #pair(path: string, amount: string | null): Reply {
    const known = this.coins.flatMap(({ coin, networks }) =>
      networks.map((network) => `${coin.toLowerCase()}-${network}`),
    );
    const [, give = "", get = ""] = path.split("/");
    if (!known.includes(give) || !known.includes(get))
      return refused(400, "BAD_USER_INPUT", `Method ${give}/${get} not found`);
    if (amount === null || !this.isWithin(amount)) return refused(400, "", "Amount too low");
    const delivered = parseAmount(this.deliver(amount), 36) ?? 0n;
    const rate = formatAmount(delivered / (parseAmount(amount, 18) ?? 1n), 18);
    return { status: 200, body: { min: this.min, max: this.max, rate, depositCoin: give, settleCoin: get } };
  }

  #create(body: unknown): Reply {
    const given = bodySchema.safeParse(body);
    if (!given.success) return refused(400, "BAD_USER_INPUT", "Invalid receiving address");
    const held = this.hold({
      clientId: given.data.externalId ?? null,
      destination: { address: given.data.settleAddress, memo: given.data.settleMemo ?? null },
      refund: { address: given.data.refundAddress ?? "", memo: given.data.refundMemo ?? null },
      amount: "0",
      status: "waiting",
    });
    return { status: 201, body: this.#show(held) };
  }

  #shift(id: string): Reply {
    const held = this.exchanges.find((one) => one.id === id);
    return held === undefined ? refused(404, "NOT_FOUND", "Order not found") : { status: 200, body: this.#show(held) };
  }

  #show(held: HeldExchange): unknown {
    return {
      id: held.id,
      createdAt: held.createdAt,
      depositAddress: held.deposit.address,
      ...(held.deposit.memo !== null && { depositMemo: held.deposit.memo }),
      settleAddress: held.destination.address,
      ...(held.destination.memo !== null && { settleMemo: held.destination.memo }),
      refundAddress: held.refund.address,
      depositMin: this.min,
      depositMax: this.max,
      type: "variable",
      expiresAt: new Date(Date.parse(held.createdAt) + this.lifeMs).toISOString(),
      status: held.status,
      averageShiftSeconds: "45.8",
      externalId: held.clientId,
      ...(held.payoutHash !== null && { settleHash: held.payoutHash }),
      ...(held.delivered !== null && { settleAmount: held.delivered }),
    };
  }
}

const refused = (status: number, code: string, message: string): Reply => ({
  status,
  body: { error: { code, message } },
});

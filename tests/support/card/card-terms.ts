import { toMinor } from "#contract/money.ts";
import type { OrderTerms } from "../../../server/orders/decisions/order.ts";

const USD = { slug: "usd", networkTitle: "USD", decimals: 2 };
const LTC = { slug: "ltc", networkTitle: "LTC", decimals: 8 };
const AT = new Date("2026-11-21T12:00:00.000Z");

/** 100 USD for 0.98 LTC, or 1 LTC for 90 USD. */
export const cardTerms = (direction: "buy" | "sell"): OrderTerms => ({
  rateMode: "FLOATING",
  ...(direction === "buy" ? { from: USD, to: LTC } : { from: LTC, to: USD }),
  destination: { address: "destination", memo: null },
  refund: null,
  deposit: { address: direction === "buy" ? "" : "provider", memo: null },
  claimedDepositAmount: toMinor(direction === "buy" ? 10_000n : 100_000_000n),
  quoted: {
    amountTo: toMinor(direction === "buy" ? 98_000_000n : 9_000n),
    price: direction === "buy" ? "0.0098" : "90",
    platformFee: toMinor(direction === "buy" ? 500_000n : 50n),
    networkFee: toMinor(0n),
    market: { fromPriceUsd: toMinor(10n ** 18n), toPriceUsd: toMinor(10n ** 20n) },
  },
  floatingFeeBps: toMinor(0n),
  spreadBps: toMinor(0n),
  minAmount: toMinor(1n),
  maxAmount: null,
  requiredConfirmations: direction === "buy" ? 0 : 6,
  createdAt: AT,
  fixed: null,
  unpaidUntil: new Date(AT.getTime() + 86_400_000),
  card: { provider: "mercuryo", direction, reference: "r1", redirectUrl: "https://pay.example/r1" },
});

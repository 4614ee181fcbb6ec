import type { CreateOrderBody } from "#contract/order.ts";
import { COINS, type Coin } from "./market.ts";
import type { Random } from "./random.ts";

/** What a customer does with an order. */
const PLANS = {
  plain: 30,
  "in two parts": 5,
  "with dust": 4,
  "with a tiny deposit": 3,
  "to a hostile contract": 3,
  "too little": 6,
  "too much": 3,
  "other amount": 7,
  late: 6,
  "again after the end": 6,
  "other asset": 3,
  "without memo": 3,
  replaced: 4,
  "shared transaction": 5,
  "wants a refund": 7,
  "wants a refund, then pays again": 4,
  never: 3,
} as const;
export type Plan = keyof typeof PLANS;

/** What the customer chooses when the fixed rate has ended. */
const ANSWERS = { accept: 5, refund: 4, both: 4, twice: 3, nothing: 1 } as const;
export type Answer = keyof typeof ANSWERS;

export type Customer = {
  readonly n: number;
  readonly plan: Plan;
  readonly answer: Answer;
  /** Accepts an offer only once that is worth more than what it is for. */
  readonly foresees: boolean;
  readonly from: Coin;
  readonly to: Coin;
  readonly isFixed: boolean;
  /** In minor units of `from`. */
  readonly amount: bigint;
  readonly destination: string;
  readonly refundTo: string;
  /** The round in which the order is made, and the one in which it is paid. */
  readonly createsIn: number;
  readonly paysIn: number;
  /** Null until the server has answered that the order exists. */
  order: { id: string; address: string; memo: string | null } | null;
  /** Whether the server died during a creation of the order. */
  wasInterrupted: boolean;
  /** The transaction of the deposit that may be replaced. */
  deposit: string | null;
  hasPaid: boolean;
  hasPaidAgain: boolean;
  answers: number;
  /** True once the server has accepted the refund address. */
  refundAskedFor: boolean;
};

const ARRIVALS = 9;
const HOLD_ROUNDS = 11;

export function newCustomer(n: number, random: Random): Customer {
  const plan = random.weighted(PLANS);
  const from = plan === "without memo" ? coin("xrp") : plan === "other asset" ? coin("eth") : random.pick(COINS);
  const to = random.pick(COINS.filter((other) => other !== from));
  const isFixed = ["late", "other amount", "with a tiny deposit"].includes(plan) || random.chance(0.4);
  const createsIn = random.whole(1, ARRIVALS);
  const usd = random.whole(60, 400);
  return {
    n,
    plan,
    answer: random.weighted(ANSWERS),
    foresees: n % 4 !== 0,
    from,
    to,
    isFixed,
    amount: worth(from, usd),
    destination: plan === "to a hostile contract" ? `hostile-${n}` : `dest-${n}`,
    refundTo: `back-${n}`,
    createsIn,
    paysIn: createsIn + (plan === "late" ? HOLD_ROUNDS : random.whole(0, 2)),
    order: null,
    wasInterrupted: false,
    deposit: null,
    hasPaid: false,
    hasPaidAgain: false,
    answers: 0,
    refundAskedFor: false,
  };
}

function coin(slug: string): Coin {
  const found = COINS.find((one) => one.slug === slug);
  if (found === undefined) throw new Error(`${slug} is not traded here`);
  return found;
}

/** The worth of a dollar amount in a coin, with four decimals. */
export function worth(of: Coin, usd: number): bigint {
  return BigInt(Math.max(1, Math.round((usd / of.usd) * 10_000))) * 10n ** BigInt(of.decimals - 4);
}

export function bodyOf(customer: Customer, at: Date): CreateOrderBody {
  const { from, to, isFixed } = customer;
  const scale = 10n ** BigInt(from.decimals - 4);
  const tenThousandths = customer.amount / scale;
  return {
    rateMode: isFixed ? "FIXED" : "FLOATING",
    instrumentFrom: { currencyTitle: from.ticker, networkTitle: from.network, slug: from.slug },
    instrumentTo: { currencyTitle: to.ticker, networkTitle: to.network, slug: to.slug },
    destinationAddress: customer.destination,
    claimedDepositAmount: `${tenThousandths / 10_000n}.${String(tenThousandths % 10_000n).padStart(4, "0")}`.replace(
      /\.?0+$/,
      "",
    ),
    claimedPublicRate: { price: "1", updatedAt: at.toISOString(), claimedAmountToReceive: "1" },
    refundAddress: isFixed ? customer.refundTo : null,
  };
}

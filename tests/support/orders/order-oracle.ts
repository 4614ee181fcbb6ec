/**
 * What must be true of any order, without the engine: it knows deposits, prices and outgoing payments, and judges each payment
 * before it leaves. It imports nothing of ours, so that it can't share a mistake with what it judges.
 */
export type OracleTerms = {
  isFixed: boolean;
  claimed: bigint;
  quotedAmount: bigint;
  refundAddress: string | null;
  expiresAt: number | null;
  minimum: bigint;
  maximum: bigint | null;
  /** The time to choose in seconds; null: no limit. */
  autoRefundSeconds: number | null;
};

/** The chain and the market as the oracle sees them at one moment; amounts in minor units, prices in whole USD. */
export type OracleNow = { at: number; price: bigint; deposits: OracleDeposit[] };
/** In the order in which they were seen; `minedAt` is null while one is in no block. */
export type OracleDeposit = { key: string; amount: bigint; isDeep: boolean; seenAt: number; minedAt: number | null };

export type Outgoing =
  | { purpose: "payout"; amount: bigint }
  | { purpose: "refund"; amount: bigint; to: string; fee: bigint };

const WEI = 10n ** 18n;
const MICRO = 10n ** 6n;
/** The market when a fixed rate was quoted, in whole USD, and the moves against it that the rate bears. */
const QUOTED_PRICE = 3000n;
const VOLATILITY_BPS = 300n;
const LATE_BPS = 100n;
const OFFER_SECONDS = 600;
const ORDER = ["CREATION_END", "INCOMING_FUNDS_DETECTED", "FUNDS_WITHDRAWAL_START", "WITHDRAWAL_COMPLETED"];

export class OrderOracle {
  readonly #terms: OracleTerms;
  readonly #sent: Outgoing[] = [];
  readonly #kinds: string[] = ["CREATION_END"];
  #agreed: { amount: bigint; received: bigint; keys: string[] } | null = null;
  #offeredAt = 0;
  #offered: bigint | null = null;
  #isRequested = false;
  #refundDelaySeconds = 0;
  /** The requested refund: where to, from when on, and whether its owner has stopped it. */
  #refund: { to: string; from: number; isStopped: boolean } | null = null;
  readonly violations: string[] = [];

  constructor(terms: OracleTerms) {
    this.#terms = terms;
  }

  /** A payment is about to leave: judged by what the chain and the market say now. */
  leaves(outgoing: Outgoing, now: OracleNow): string[] {
    const sum = now.deposits.reduce((total, deposit) => total + deposit.amount, 0n);
    this.#sent.push(outgoing);
    this.#expect(this.#sent.length === 1, "a second payment left");
    this.#expect(sum > 0n, "something left without a deposit");
    this.#expect(
      now.deposits.every((deposit) => deposit.isDeep),
      "something left before its deposits were confirmed",
    );
    if (outgoing.purpose === "refund") this.#judgeRefund(outgoing, sum, now.at);
    else this.#judgePayout(outgoing.amount, sum, now);
    return this.violations;
  }

  /** An event, with the sum of the order's deposits at that time. */
  happens(kind: string, sum = 0n): void {
    const rank = ORDER.indexOf(kind);
    const before = Math.max(...this.#kinds.map((known) => ORDER.indexOf(known)));
    this.#expect(rank === -1 || rank > before, `${kind} came again or too late`);
    this.#expect(
      !this.#kinds.includes("WITHDRAWAL_COMPLETED") && !this.#kinds.includes("REFUND_COMPLETED"),
      `${kind} came after the end`,
    );
    this.#expect(!(kind === "REFUND_REQUESTED" && this.#agreed?.received === sum), "a refund after an acceptance");
    this.#expect(
      !(kind === "RATE_MODE_CHANGE_ACCEPTED" && this.#kinds.includes("REFUND_REQUESTED")),
      "an acceptance after a refund",
    );
    this.#expect(
      !(kind === "RATE_MODE_CHANGE_ACCEPTED" && !this.#kinds.includes("RATE_MODE_CHANGED")),
      "an acceptance of nothing",
    );
    this.#expect(!kind.startsWith("FIXED_RATE") || !this.#kinds.includes(kind), `${kind} was judged twice`);
    this.#expect(!kind.startsWith("FIXED_RATE") || this.#terms.isFixed, `${kind} of a floating order`);
    this.#kinds.push(kind);
  }

  /** The fixed rate ended because of the amount: a sum that was right must not be made wrong later. */
  judgesAmount(deposits: OracleDeposit[]): void {
    let sum = 0n;
    for (const { amount } of deposits.slice(0, -1)) {
      sum += amount;
      this.#expect(sum * 200n < this.#terms.claimed * 199n, "a complete sum was left by adding to it");
    }
  }

  /**
   * The customer requests a refund, allowed or not: `answer` is what the engine does with it. `refundDelaySeconds`: how long one to a new address
   * must wait, 0 where nobody can be notified of it.
   */
  asks(answer: () => void, refundDelaySeconds: number): void {
    this.#isRequested = true;
    this.#refundDelaySeconds = refundDelaySeconds;
    answer();
    this.#isRequested = false;
  }

  /** The customer got an offer, or the end of one. */
  offers(at: number, amount: bigint | null): void {
    this.#offeredAt = at;
    this.#offered = amount;
  }

  /** The deposit is to be refunded: on request, or automatically after the time to choose. */
  requests(to: string, now: OracleNow): "by the customer" | "automatically" {
    const isHeld = this.#isRequested && this.#terms.refundAddress === null;
    this.#refund = { to, from: isHeld ? now.at + this.#refundDelaySeconds : now.at, isStopped: false };
    if (this.#isRequested) return "by the customer";
    const { autoRefundSeconds, refundAddress, minimum, maximum } = this.#terms;
    const sum = now.deposits.reduce((total, deposit) => total + deposit.amount, 0n);
    const since = Math.max(this.#offeredAt, ...now.deposits.map((deposit) => deposit.seenAt));
    const mustChoose = this.#kinds.includes("RATE_MODE_CHANGED") && this.#agreed?.received !== sum;
    this.#expect(to === refundAddress, "an automatic refund to an address that was not set at creation");
    this.#expect(
      autoRefundSeconds !== null && now.at >= since + autoRefundSeconds,
      "an automatic refund before the time to choose ended",
    );
    this.#expect(
      mustChoose || sum < minimum || (maximum !== null && sum > maximum),
      "an automatic refund of an order that waits for nobody",
    );
    this.#expect(
      now.deposits.every((deposit) => deposit.isDeep),
      "an automatic refund of an unconfirmed deposit",
    );
    return "automatically";
  }

  /** The owner stopped the refund. */
  stops(): void {
    this.#expect(this.#refund !== null && this.#sent.length === 0, "a refund was stopped that didn't wait");
    if (this.#refund !== null) this.#refund.isStopped = true;
  }

  /** An operator lets a stopped refund go to this address. */
  releases(to: string): void {
    this.#expect(this.#refund?.isStopped === true, "a refund was released that nobody had stopped");
    this.#refund = { to, from: 0, isStopped: false };
  }

  /** The customer accepted this sum for that deposit: it binds, and must not be worth waiting for. */
  agrees(amount: bigint, received: bigint, now: OracleNow): void {
    this.#agreed = { amount, received, keys: now.deposits.map(({ key }) => key) };
    this.#expect(
      now.deposits.every(({ minedAt }) => minedAt !== null),
      "a price was accepted that a withdrawal of the deposit could leave",
    );
    const worth = this.#floatingWorth(received, now.price);
    this.#expect(now.at <= this.#offeredAt + OFFER_SECONDS, "an offer was accepted after its end");
    this.#expect(this.#offered !== null && amount >= this.#offered, "less than the offer was accepted");
    this.#expect(worth * 10_000n >= amount * 9_950n, "an offer was accepted after the market had fallen");
  }

  #floatingWorth(sum: bigint, price: bigint): bigint {
    const worth = (sum * price * MICRO) / WEI;
    return worth - worth / 200n - MICRO;
  }

  #judgeRefund({ amount, to, fee }: Extract<Outgoing, { purpose: "refund" }>, sum: bigint, at: number): void {
    const preset = this.#terms.refundAddress;
    this.#expect(amount + fee === sum, "a refund is not the deposits less the fee");
    this.#expect(amount > 0n, "an empty refund");
    this.#expect(preset === null || to === preset, "a preset refund address was replaced");
    this.#expect(this.#kinds.includes("REFUND_REQUESTED"), "a refund that nobody requested");
    this.#expect(this.#refund === null || at >= this.#refund.from, "a refund left before its owner could stop it");
    this.#expect(this.#refund?.isStopped !== true, "a stopped refund left");
    this.#expect(this.#refund === null || to === this.#refund.to, "a refund left to another address than requested");
  }

  #judgePayout(amount: bigint, sum: bigint, now: OracleNow): void {
    this.#expect(amount > 0n, "an empty payout");
    this.#expect(!this.#kinds.includes("REFUND_REQUESTED"), "a payout after a refund was requested");
    if (this.#agreed?.received === sum) {
      this.#expect(amount === this.#agreed.amount, "an accepted offer was not paid as offered");
    } else if (this.#agreed?.keys.every((key) => now.deposits.some((deposit) => deposit.key === key)) === true) {
      this.#expect(false, "an accepted price was left by adding to the deposit");
    } else if (this.#terms.isFixed && this.#agreed === null) {
      this.#expect(!this.#kinds.includes("RATE_MODE_CHANGED"), "a changed order was paid without an acceptance");
      this.#expect(
        this.#isAbout(amount, (this.#terms.quotedAmount * sum) / this.#terms.claimed),
        "a fixed order was not paid its fixed sum",
      );
      const difference = sum > this.#terms.claimed ? sum - this.#terms.claimed : this.#terms.claimed - sum;
      this.#expect(difference * 200n <= this.#terms.claimed, "a fixed order was paid for another amount");
      const end = this.#terms.expiresAt ?? 0;
      const timely = now.deposits.reduce((total, { amount: one, seenAt }) => (seenAt <= end ? total + one : total), 0n);
      this.#expect(timely * 200n >= this.#terms.claimed * 199n, "a fixed rate was kept for a sum that came late");
      const bound = now.deposits.some(({ minedAt }) => minedAt === null || minedAt > end) ? LATE_BPS : VOLATILITY_BPS;
      this.#expect(
        now.price * 10_000n >= QUOTED_PRICE * (10_000n - bound),
        "a fixed rate was kept after the market had moved",
      );
    } else {
      this.#expect(sum >= this.#terms.minimum, "a payout under the minimum");
      this.#expect(
        this.#isAbout(amount, this.#floatingWorth(sum, now.price)),
        "a floating order was not paid its worth at confirmation",
      );
    }
  }

  /** Equal up to rounding. */
  #isAbout(one: bigint, other: bigint): boolean {
    const difference = one > other ? one - other : other - one;
    return difference <= 2n;
  }

  #expect(isTrue: boolean, violation: string): void {
    if (!isTrue) this.violations.push(violation);
  }
}

import { CodedError } from "#contract/errors.ts";
import type { CreateOrderBody } from "#contract/order.ts";
import type { Catalogue } from "../../server/catalogue/index.ts";
import type { Database } from "../../server/db/database.ts";
import { lockSignedIn } from "../../server/accounts/index.ts";
import { CommitUnknownError } from "../../server/db/transaction.ts";
import { creditAccount, runEarningsCommand } from "../../server/earnings/index.ts";
import { withdraw } from "../../server/earnings/withdrawals/withdraw.ts";
import type { FaultLog } from "./faults.ts";
import { EARNINGS_SLUG, type SimRates } from "./market.ts";
import type { Random } from "./random.ts";
import type { SimProcess } from "./sim-process.ts";

/** What each account begins with, so that there is something to withdraw before anybody has earned it. */
export const GIFT = 400_000_000n;
const UNIT = 1_000_000n;
const LINKS = ["AAAAAAA1", "AAAAAAA2"] as const;

export type EarnersParts = {
  seed: number;
  random: Random;
  faultLog: FaultLog;
  web: SimProcess;
  admin: Database;
  rates: SimRates;
  catalogue: Catalogue;
  now: () => Date;
  onError(error: unknown): void;
};

export type Earner = { userId: bigint; referrer: bigint | null };
/** `id` is null until the server has answered. */
export type AskedWithdrawal = {
  n: number;
  by: Earner;
  amount: bigint;
  address: string;
  id: string | null;
  tries: number;
  isDecided: boolean;
};

/** Accounts that exchange, refer each other's orders and withdraw, and the operators who look at their withdrawals. */
export class Earners {
  readonly people: Earner[] = [];
  readonly withdrawals: AskedWithdrawal[] = [];
  readonly #parts: EarnersParts;

  constructor(parts: EarnersParts) {
    this.#parts = parts;
  }

  /** Two accounts with links, and four of whom the first has referred two. */
  async open(): Promise<void> {
    const { admin, now } = this.#parts;
    for (let n = 0; n < 6; n += 1) {
      const referrer = n === 2 || n === 3 ? (this.people[0]?.userId ?? null) : null;
      const { id: userId } = await admin.kysely
        .insertInto("users")
        .values({ email: `person-${n}@sim.example`, referrer_user_id: referrer })
        .returning("id")
        .executeTakeFirstOrThrow();
      const link = LINKS[n];
      if (link !== undefined)
        await admin.kysely
          .insertInto("referrer_ids")
          .values({ referrer_id: link, user_id: userId, created_at: now() })
          .execute();
      this.people.push({ userId, referrer });
      await creditAccount(admin, { userId, slug: EARNINGS_SLUG, amount: GIFT, at: now() });
    }
  }

  /** Whose the `n`th customer's order is, and by whose link it was made: every second one is an account's, every fourth a link's. */
  of(n: number): { owner: Earner | null; referrer: bigint | null; body: Pick<CreateOrderBody, "referrerId"> } {
    const owner = n % 2 === 0 ? (this.people[(n / 2) % this.people.length] ?? null) : null;
    const isByLink = n % 4 === 1;
    const linked = isByLink ? this.people[n % LINKS.length] : undefined;
    const referrer = owner === null ? (linked?.userId ?? null) : owner.referrer;
    return { owner, referrer, body: { referrerId: isByLink ? (LINKS[n % LINKS.length] ?? null) : null } };
  }

  /** Somebody withdraws, and whoever got no answer asks again. */
  async act(): Promise<void> {
    const { random } = this.#parts;
    for (const asked of this.withdrawals) if (asked.id === null) await this.#ask(asked);
    if (!random.chance(0.3)) return;
    const n = this.withdrawals.length;
    const amount = random.chance(0.3) ? 120n * UNIT : BigInt(random.whole(10, 20)) * UNIT;
    const asked = {
      n,
      by: random.pick(this.people),
      amount,
      address: `T${`${n}`.padStart(33, "x")}`,
      id: null,
      tries: 0,
      isDecided: false,
    };
    this.withdrawals.push(asked);
    await this.#ask(asked);
    if (!random.chance(0.3)) return;
    this.#parts.faultLog.record("withdrawal asked for twice");
    await this.#ask(asked);
  }

  async #ask(asked: AskedWithdrawal): Promise<void> {
    const { web, rates, catalogue, now, seed, onError } = this.#parts;
    const by = {
      userId: asked.by.userId,
      clientKey: `person-${asked.by.userId}`,
      seed: `${seed} withdrawal ${asked.n}`,
    };
    const body = {
      currencyTitle: "USDT",
      networkTitle: "ETH",
      address: asked.address,
      amount: `${asked.amount / UNIT}`,
    };
    const isFirst = asked.tries === 0;
    asked.tries += 1;
    try {
      const made = await web.run((_, { database, probe, readers }) =>
        withdraw(
          {
            database,
            probe,
            readers,
            catalogue,
            rates: {
              networkFee: (slug) => rates.networkFee(slug),
              priceUsd: (slug) => (rates.areMissing ? null : (rates.prices.get(slug) ?? null)),
            },
            clock: { now },
            isSandbox: false,
            lockSignedIn,
          },
          { ...by, isFirst },
          body,
        ),
      );
      if (made === "died") return;
      const { id } = made.done;
      if (asked.id !== null && asked.id !== id) onError(new Error(`withdrawal ${asked.n} was made twice`));
      asked.id = id;
    } catch (error) {
      if (error instanceof CodedError) this.#forget(asked);
      else if (!(error instanceof CommitUnknownError)) onError(error);
    }
  }

  /** The balance had become too small. */
  #forget(asked: AskedWithdrawal): void {
    if (asked.id === null) this.withdrawals.splice(this.withdrawals.indexOf(asked), 1);
  }

  /** Operators decide what waits for them; their command has a connection of its own, which goes by the simulation's time. */
  async decide(): Promise<void> {
    const { web, catalogue, random, faultLog } = this.#parts;
    const open = this.withdrawals.some(({ id, isDecided }) => id !== null && !isDecided);
    if (!open) return;
    await web.run(async (_, { database }) => {
      const waiting = await database.kysely
        .selectFrom("withdrawals")
        .select("id")
        .where("state", "=", "review")
        .orderBy("id")
        .execute();
      for (const { id } of waiting) {
        const end = random.chance(0.6) ? "approve" : "reject";
        faultLog.record(end === "approve" ? "withdrawal looked at first" : "withdrawal rejected");
        await runEarningsCommand({ database, catalogue }, ["withdrawal", end, `${id}`, "looked", "--as", "op"]);
      }
    });
    for (const asked of this.withdrawals) asked.isDecided ||= asked.id !== null;
  }
}

import { sql } from "kysely";
import type { Database } from "../../server/db/database.ts";
import { violations, type ChainView } from "../support/checkers/checkers.ts";
import type { Customer } from "./customer.ts";
import type { Earners } from "./earners.ts";
import { earningsViolations } from "./earnings-audit.ts";
import { confirmationsOf, NETWORKS } from "./market.ts";
import { HOT, type SimChain } from "./sim-chain.ts";

export type AuditParts = {
  admin: Database;
  chains: ReadonlyMap<string, SimChain>;
  customers: readonly Customer[];
  earners: Earners;
  /** What a fork beyond the confirmations has undone. */
  undoneBeyond: ReadonlySet<string>;
};

/** Compares the rows of a simulation with its chains; everything that it finds is a violation. */
export class Audit {
  readonly found: string[] = [];
  readonly #parts: AuditParts;
  readonly #credited = new Set<string>();

  constructor(parts: AuditParts) {
    this.#parts = parts;
  }

  /** A credit is judged when it is given: later the chain has grown over any mistake. */
  async judgeCredits(): Promise<void> {
    const rows = await this.#parts.admin.kysely
      .selectFrom("deposits")
      .select(["network", "tx_id"])
      .where("credited_at", "is not", null)
      .execute();
    for (const { network, tx_id } of rows) {
      if (this.#credited.has(tx_id)) continue;
      this.#credited.add(tx_id);
      const depth = this.#chain(network).depthOf(tx_id);
      if (depth < confirmationsOf(network) && !this.#parts.undoneBeyond.has(tx_id))
        this.found.push(`deposit ${tx_id} was credited at a depth of ${depth}`);
    }
  }

  /** After the faults have ended and everything has settled. */
  async judgeTheEnd(): Promise<string[]> {
    const { admin, undoneBeyond } = this.#parts;
    const paid = this.#payments();
    const view: ChainView = {
      delivered: async (orderId) => paid.get(orderId) ?? [],
      isDeep: async (txId, _, network) =>
        undoneBeyond.has(txId) || this.#chain(network).depthOf(txId) >= confirmationsOf(network),
    };
    this.found.push(...(await violations(admin, view, 0)));
    await this.#promises();
    await this.#liveness();
    await this.#deposits();
    await this.#holdings();
    const chain = (network: string) => this.#chain(network);
    this.found.push(...(await earningsViolations({ ...this.#parts, chain })));
    return this.found;
  }

  /** What reached the addresses of each order's customer. */
  #payments(): Map<string, bigint[]> {
    const owners = new Map<string, string>();
    for (const { order, destination, refundTo, n } of this.#parts.customers) {
      for (const place of [destination, refundTo, `thief-${n}`]) if (order !== null) owners.set(place, order.id);
    }
    const paid = new Map<string, bigint[]>();
    for (const chain of this.#parts.chains.values()) {
      for (const { from, to, amount } of chain.transfers()) {
        const owner = owners.get(to);
        if (from === HOT && owner !== undefined) paid.set(owner, [...(paid.get(owner) ?? []), amount]);
        if (to.startsWith("thief")) this.found.push(`${to} was paid`);
      }
    }
    return paid;
  }

  /** What a 2xx promised exists. */
  async #promises(): Promise<void> {
    const rows = await this.#parts.admin.kysely.selectFrom("orders").select("id").execute();
    const known = new Set(rows.map(({ id }) => id));
    for (const { order, n } of this.#parts.customers)
      if (order !== null && !known.has(order.id))
        this.found.push(`the order of customer ${n} was promised and is gone`);
    for (const { order, n } of this.#parts.customers)
      if (order === null) this.found.push(`customer ${n} never got an order`);
  }

  /** Every order that has coins is done, or waits for a named reason. */
  async #liveness(): Promise<void> {
    const { rows } = await sql<{
      id: string;
      state: string;
      waiting_for: string | null;
      payout: string | null;
      why: string | null;
    }>`
      select o.id, o.state, o.waiting_for, p.state as payout, p.review_reason as why
      from orders o left join payouts p on p.order_id = o.id`.execute(this.#parts.admin.kysely);
    const funded = this.#funded(await this.#held());
    for (const { id, state, waiting_for, payout, why } of rows) {
      const isDone = (state === "completed" || state === "refunded") && payout === "final";
      const isHeld = payout === "review" && why !== null;
      const waits =
        (state === "confirming" || state === "awaiting_choice" || state === "refund_requested") && waiting_for !== null;
      if (!isDone && !isHeld && !waits && funded.has(id))
        this.found.push(`order ${id} has coins and is stuck: ${state}, ${waiting_for}, payment ${payout}`);
    }
  }

  /** The deposits that wait for an operator, such as dust: an order has nothing to do with them. */
  async #held(): Promise<Set<string>> {
    const rows = await this.#parts.admin.kysely
      .selectFrom("deposits")
      .select("tx_id")
      .where("review_reason", "is not", null)
      .execute();
    return new Set(rows.map(({ tx_id }) => tx_id));
  }

  /** The orders that the canonical chains have paid in the right asset. */
  #funded(held: ReadonlySet<string>): Set<string> {
    const places = new Map<string, { id: string; slug: string }>();
    for (const { order, from } of this.#parts.customers)
      if (order !== null)
        places.set(JSON.stringify([from.network, order.address, order.memo]), { id: order.id, slug: from.slug });
    const funded = new Set<string>();
    for (const chain of this.#parts.chains.values()) {
      for (const { transactions } of chain.blocks) {
        const counted = transactions.filter(({ txId }) => !held.has(txId));
        for (const { toAddress, memo, slug } of counted.flatMap(({ transfers }) => transfers)) {
          const owner = places.get(JSON.stringify([chain.title, toAddress, memo ?? null]));
          if (owner?.slug === slug) funded.add(owner.id);
        }
      }
    }
    return funded;
  }

  /** Everything that the canonical chains show at our addresses is a row. */
  async #deposits(): Promise<void> {
    const rows = await this.#parts.admin.kysely
      .selectFrom("deposits")
      .select(["network", "tx_id", "output_index", "block_height", "in_mempool"])
      .execute();
    for (const { network, tx_id, in_mempool, block_height } of rows)
      if (in_mempool !== (block_height === null && this.#chain(network).mempool.has(tx_id)))
        this.found.push(`deposit ${tx_id} is ${in_mempool ? "" : "not "}marked as in the mempool`);
    const known = new Map(rows.map((row) => [`${row.tx_id}:${row.output_index}`, row]));
    for (const chain of this.#parts.chains.values()) {
      for (const { transactions, height } of chain.blocks) {
        for (const { txId, from, transfers } of transactions) {
          if (from === HOT) continue;
          for (const { outputIndex } of transfers) {
            const row = known.get(`${txId}:${outputIndex}`);
            if (row?.block_height !== height)
              this.found.push(`deposit ${txId}:${outputIndex} is not known where it is`);
          }
        }
      }
    }
  }

  /** What left the hot wallets equals what the ledger says. */
  async #holdings(): Promise<void> {
    const rows = await this.#parts.admin.kysely
      .selectFrom("ledger_accounts")
      .select(["name", "slug", "balance"])
      .where("name", "in", ["hot", "customers"])
      .execute();
    const left = new Map<string, bigint>();
    const add = (slug: string, amount: bigint) => left.set(slug, (left.get(slug) ?? 0n) + amount);
    for (const chain of this.#parts.chains.values()) {
      const { feeSlug } = NETWORKS.get(chain.title) ?? { feeSlug: "" };
      for (const { from, slug, amount, fee } of chain.transfers()) {
        if (from !== HOT) continue;
        add(slug, amount);
        add(feeSlug, fee);
      }
    }
    for (const { name, slug, balance } of rows) {
      if (name === "hot" && balance !== (left.get(slug) ?? 0n))
        this.found.push(`${left.get(slug) ?? 0n} of ${slug} have left the hot wallet, and the books say ${balance}`);
    }
    const { rows: owed } = await sql<{ slug: string; sum: bigint }>`
      select slug, sum(amount) as sum from payouts where state <> 'final' and withdrawal_id is null group by slug`.execute(
      this.#parts.admin.kysely,
    );
    const open = new Map(owed.map(({ slug, sum }) => [slug, sum]));
    for (const { name, slug, balance } of rows) {
      if (name === "customers" && balance !== (open.get(slug) ?? 0n))
        this.found.push(`${balance} of ${slug} are owed to customers, and ${open.get(slug) ?? 0n} are on their way`);
    }
  }

  #chain(network: string): SimChain {
    const chain = this.#parts.chains.get(network);
    if (chain === undefined) throw new Error(`${network} is not simulated`);
    return chain;
  }
}

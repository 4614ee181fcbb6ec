/** Every simulated fault. Each must occur in every run: one that never does proves nothing. */
export const FAULTS = [
  "fork below the confirmations",
  "fork beyond the confirmations",
  "fork that drops what it undid",
  "mempool eviction",
  "deposit evicted for a while",
  "mempool not readable",
  "mempool shown in part",
  "node down",
  "node lags",
  "node stutters",
  "node on an abandoned fork",
  "node claims blocks that it lacks",
  "node denies a transaction",
  "node hangs",
  "fees rise",
  "payment stuck below the fees",
  "payment replaced",
  "replaced payment mined in the end",
  "destination reverts",
  "no blocks for a while",
  "many blocks at once",
  "broadcast accepted, answer lost",
  "broadcast lost",
  "broadcast of what is already known",
  "crash outside a transaction",
  "crash before a commit",
  "crash after a commit",
  "crash of the web process",
  "commit done, reply lost",
  "commit lost",
  "stalled worker overtaken by another",
  "customer acts between two steps of a worker",
  "clock of a worker off by minutes",
  "clock of a worker jumps amid its work",
  "prices gone",
  "market moved",
  "hot wallet short",
  "payments switched off",
  "payments stopped by the engine itself",
  "orders switched off",
  "deposit under the minimum",
  "deposit over the maximum",
  "deposit of another amount than agreed",
  "deposit in two parts",
  "dust beside a deposit",
  "tiny deposit before the rate lock ends",
  "deposit after the rate lock",
  "deposit after the end",
  "deposit after a refund",
  "deposit of another asset",
  "deposit without its memo",
  "deposit replaced by another",
  "one transaction pays two orders",
  "order never paid",
  "refund asked for while confirming",
  "refund and acceptance at once",
  "refund asked for twice",
  "refund to another address than before",
  "acceptance asked for twice",
  "offer taken by who foresees the market",
  "creation repeated after a crash",
  "withdrawal asked for twice",
  "withdrawal looked at first",
  "withdrawal rejected",
] as const;

export type Fault = (typeof FAULTS)[number];

/** How often each fault occurred. */
export class FaultLog {
  readonly counts = new Map<Fault, number>(FAULTS.map((fault) => [fault, 0]));

  record(fault: Fault, times = 1): void {
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + times);
  }

  add(other: FaultLog): void {
    for (const [fault, count] of other.counts) this.record(fault, count);
  }

  get missing(): Fault[] {
    return [...this.counts].flatMap(([fault, count]) => (count === 0 ? [fault] : []));
  }

  toString(): string {
    return [...this.counts].map(([fault, count]) => `${String(count).padStart(8)}  ${fault}`).join("\n");
  }
}

import { MINUTE_MS } from "#contract/durations.ts";
import type { Switches } from "../../server/treasury/port.ts";
import type { FaultLog } from "./faults.ts";
import { COINS, confirmationsOf, type SimRates } from "./market.ts";
import type { Random } from "./random.ts";
import { HOT, PAYMENT_FEE, type SimChain, type SimTransaction } from "./sim-chain.ts";
import { noFaults } from "./sim-node.ts";
import type { SimProcess } from "./sim-process.ts";

export type EnvironmentParts = {
  random: Random;
  faultLog: FaultLog;
  chains: readonly SimChain[];
  processes: readonly SimProcess[];
  rates: SimRates;
  switches: Switches;
  /** Whether forks may be deeper than what orders wait for. */
  hasDeepForks: boolean;
};

const MAX_FEE = 20n * PAYMENT_FEE;
const PAY_SCOPES = ["*", "ETH", "LTC", "usdt-erc20", "xrp"] as const;

/** What networks, nodes, the market and operators do in a round. */
export class Environment {
  /** Transactions that a fork beyond the confirmations has undone: crediting them was correct. */
  readonly undoneBeyond = new Set<string>();
  readonly #parts: EnvironmentParts;
  #evicted: { chain: SimChain; transaction: SimTransaction }[] = [];
  #stopped: { action: "pay" | "accept"; scope: string; until: number }[] = [];

  constructor(parts: EnvironmentParts) {
    this.#parts = parts;
  }

  async change(round: number): Promise<void> {
    const { chains, processes, random } = this.#parts;
    this.#returnEvicted();
    for (const chain of chains) {
      this.#fork(chain);
      if (random.chance(0.12)) this.#evictDeposit(chain);
      if (random.chance(0.12)) this.#evict(chain);
      this.#fees(chain);
    }
    for (const process of processes) this.#nodeFaults(process);
    this.#market();
    await this.#operators(round);
  }

  /** Mines some blocks on every chain. */
  mineSome(): void {
    const { chains, random, faultLog } = this.#parts;
    for (const chain of chains) {
      const blocks = random.weighted({ "1": 17, "0": 2, "4": 1 });
      if (blocks === "0") faultLog.record("no blocks for a while");
      if (blocks === "4") faultLog.record("many blocks at once");
      for (let mined = 0; mined < Number(blocks); mined += 1) chain.mine();
    }
  }

  /** Fees rise above what was signed for some rounds, and miners take a replaced payment after all. */
  #fees(chain: SimChain): void {
    const { random, faultLog } = this.#parts;
    if (chain.marketFee > PAYMENT_FEE && random.chance(0.25)) chain.marketFee = PAYMENT_FEE;
    else if (random.chance(0.2) && chain.marketFee < MAX_FEE) {
      chain.marketFee *= BigInt(random.whole(2, 4));
      faultLog.record("fees rise");
    }
    faultLog.record("payment stuck below the fees", chain.stuck.length);
    const [old] = [...chain.replaced.values()].filter(() => random.chance(0.3));
    if (old !== undefined && chain.takeReplaced(old)) faultLog.record("replaced payment mined in the end");
  }

  /** Ends the faults: nodes answer correctly, prices are available, operators release everything that is stopped. */
  async recover(): Promise<void> {
    const { processes, rates, switches } = this.#parts;
    this.#returnEvicted();
    for (const process of processes) {
      process.isFaulty = false;
      process.skew = 0;
      for (const node of process.nodes) {
        node.faults = noFaults();
        node.callFaultShare = 0;
      }
    }
    for (const chain of this.#parts.chains) chain.marketFee = PAYMENT_FEE;
    rates.areMissing = false;
    for (const { action, scope, direction } of await switches.list())
      await switches.release({ action, scope, direction });
  }

  #fork(chain: SimChain): void {
    const { random, faultLog, hasDeepForks } = this.#parts;
    const confirmations = confirmationsOf(chain.title);
    const isDeep = hasDeepForks && random.chance(0.03);
    if (!isDeep && !random.chance(0.12)) return;
    const depth = isDeep ? confirmations + random.whole(0, 2) : random.whole(1, confirmations - 1);
    const losing = random.chance(0.35);
    faultLog.record(isDeep ? "fork beyond the confirmations" : "fork below the confirmations");
    if (losing) faultLog.record("fork that drops what it undid");
    const undone = chain.fork(depth, () => losing && random.chance(0.4));
    if (isDeep) for (const { txId } of undone) this.undoneBeyond.add(txId);
  }

  #evict(chain: SimChain): void {
    const ours = [...chain.mempool.values()].filter(({ from }) => from === HOT);
    if (ours.length === 0) return;
    this.#parts.faultLog.record("mempool eviction");
    chain.mempool.delete(this.#parts.random.pick(ours).txId);
  }

  /** A deposit that pays too little is dropped, and sent again by its customer's wallet later. */
  #evictDeposit(chain: SimChain): void {
    const deposits = [...chain.mempool.values()].filter(({ from }) => from !== HOT);
    if (deposits.length === 0) return;
    this.#parts.faultLog.record("deposit evicted for a while");
    const transaction = this.#parts.random.pick(deposits);
    chain.mempool.delete(transaction.txId);
    this.#evicted.push({ chain, transaction });
  }

  #returnEvicted(): void {
    for (const { chain, transaction } of this.#evicted.splice(0)) chain.mempool.set(transaction.txId, transaction);
  }

  #nodeFaults(process: SimProcess): void {
    const { random, faultLog } = this.#parts;
    if (process.skew !== 0 || random.chance(0.06)) {
      process.skew = process.skew === 0 ? random.pick([-10, -3, 4, 10]) * MINUTE_MS : 0;
      if (process.skew !== 0) faultLog.record("clock of a worker off by minutes");
    }
    for (const node of process.nodes) {
      const faults = noFaults();
      node.faults = faults;
      faults.isDown = random.chance(0.08);
      faults.isMempoolDown = random.chance(0.08);
      if (random.chance(0.07)) {
        faults.lag = random.whole(1, 4);
        faultLog.record("node lags");
      } else if (random.chance(0.06)) {
        faults.isOnAbandonedFork = true;
        faultLog.record("node on an abandoned fork");
      } else if (random.chance(0.05)) faults.claimedBlocks = 2;
      if (random.chance(0.12)) faults.shortageSlug = random.pick(COINS).slug;
    }
  }

  #market(): void {
    const { random, faultLog, rates } = this.#parts;
    rates.areMissing = random.chance(0.06);
    if (rates.areMissing) faultLog.record("prices gone");
    if (!random.chance(0.2)) return;
    faultLog.record("market moved");
    const { slug } = random.pick(COINS);
    const before = rates.prices.get(slug) ?? 1n;
    rates.prices.set(slug, (before * BigInt(random.whole(85, 116))) / 100n);
  }

  /** Operators stop something for a while, and release it later, also what the engine stopped itself. */
  async #operators(round: number): Promise<void> {
    const { random, faultLog, switches } = this.#parts;
    for (const { action, scope } of await switches.list()) {
      if (action === "quote" || this.#stopped.some((known) => known.action === action && known.scope === scope))
        continue;
      faultLog.record("payments stopped by the engine itself");
      this.#stopped.push({ action, scope, until: round + random.whole(1, 3) });
    }
    await this.#release(round);
    if (!random.chance(0.1)) return;
    const action = random.pick(["pay", "accept"] as const);
    const scope = random.pick(PAY_SCOPES);
    if (this.#stopped.some((known) => known.action === action && known.scope === scope)) return;
    faultLog.record(action === "pay" ? "payments switched off" : "orders switched off");
    this.#stopped.push({ action, scope, until: round + random.whole(1, 3) });
    await switches.stop({ action, scope, direction: "both", reason: "simulated" });
  }

  async #release(round: number): Promise<void> {
    for (const { action, scope } of this.#stopped.filter(({ until }) => until <= round))
      await this.#parts.switches.release({ action, scope, direction: "both" });
    this.#stopped = this.#stopped.filter(({ until }) => until > round);
  }
}

/** What the sandbox does to one network; a real devnet and a simulated chain both give it (contract §7). */
export type SandboxNetwork = {
  readonly networkTitle: string;
  /** Its pace, where the sandbox makes the blocks. */
  readonly blockSeconds?: number;
  /** Sends from the sandbox's own wallet; `amount` in minor units of `slug`. */
  pay(payment: { address: string; memo: string | null; slug: string; amount: bigint }): Promise<{ txId: string }>;
  /** Makes so many blocks at once, also while paused. */
  mine(blocks: number): Promise<void>;
  /** Stops or resumes blocks; the RPC goes on. */
  setPaused(paused: boolean): Promise<void>;
  /** Replaces the last `depth` blocks. */
  reorg(depth: number): Promise<void>;
  /** Sets what blocks ask for, in percent of the usual fee; absent where a real node decides. */
  setFees?(percent: number): Promise<void>;
  /** Of the newest block. */
  height(): Promise<number>;
};

export type SandboxNetworks = ReadonlyMap<string, SandboxNetwork>;

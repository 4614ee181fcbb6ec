import * as z from "zod";
import { formatAmount } from "#contract/money.ts";
import { chainOf } from "../../../server/chains/bitcoin/chain-params.ts";
import { depositXpub, hotKey } from "../../../server/chains/bitcoin/keys.ts";
import { createBitcoinNetwork, createBitcoinWallet } from "../../../server/chains/bitcoin/network.ts";
import type { BitcoinReader } from "../../../server/chains/bitcoin/reader.ts";
import type { NetworkWallet } from "../../../server/chains/port.ts";
import { bitcoinDevnet, type BitcoinDevnet } from "../../../server/devnet/bitcoin/controls.ts";
import { anything, heldAt, MNEMONIC, startLitecoinSetup, text, type LitecoinSetup } from "./litecoin.ts";
import type { StuckNetwork } from "./stuck-swap.ts";
import { startRpcProxy, type RpcProxy } from "./rpc-proxy.ts";

/** Blocks take nothing that pays less than 40 a byte: what was sent at the calm rate of 10 is stuck in the mempool. */
const BUSY_BLOCKS = ["-blockmintxfee=0.0004"];
/** As Litecoin's nodes are by default. */
const REPLACES_NOTHING = [...BUSY_BLOCKS, "-mempoolreplacement=0"];
/** Enough for any block. */
const PRIORITY = 100_000_000;

/** A regtest chain on which payments get stuck. */
export class BusyLitecoin {
  readonly setup: LitecoinSetup;
  #line: RpcProxy | null = null;
  #rpcUrl = "";

  private constructor(setup: LitecoinSetup) {
    this.setup = setup;
  }

  static async start(): Promise<BusyLitecoin> {
    const busy = new BusyLitecoin(await startLitecoinSetup());
    await busy.devnet.initialise(hotKey(chainOf("LTC", "regtest"), MNEMONIC).address);
    await busy.restart("busy");
    return busy;
  }

  /** Restarts the node: `busy`, with nodes that replace nothing, or with its own options. */
  async restart(options: "busy" | "replaces nothing" | readonly string[]): Promise<void> {
    const chosen = options === "busy" ? BUSY_BLOCKS : options === "replaces nothing" ? REPLACES_NOTHING : options;
    await this.setup.restart(chosen);
    await this.#line?.stop();
    const direct = new URL(this.setup.node.rpcUrl);
    this.#line = await startRpcProxy(Object.assign(new URL(direct), { username: "", password: "" }).href);
    const { username, password } = direct;
    this.#rpcUrl = Object.assign(new URL(this.#line.rpcUrl), { username, password }).href;
  }

  get devnet(): BitcoinDevnet {
    return bitcoinDevnet({ networkTitle: "LTC", rpcUrl: this.setup.node.rpcUrl });
  }

  /** Between the driver and the node. */
  get line(): RpcProxy {
    if (this.#line === null) throw new Error("the node was not restarted yet");
    return this.#line;
  }

  /** The driver over the node as it runs now; `feePerByte` is the catalogue's cap. */
  wallet(feePerByte: bigint | null = null): NetworkWallet {
    return createBitcoinWallet({ ...this.#options(), mnemonic: MNEMONIC, feePerByte });
  }

  reader(): BitcoinReader {
    const chain = chainOf("LTC", "regtest");
    const hotAddress = hotKey(chain, MNEMONIC).address;
    return createBitcoinNetwork({ ...this.#options(), xpub: depositXpub(chain, MNEMONIC), hotAddress });
  }

  /** For a swap whose payment is stuck there. */
  network(): StuckNetwork {
    return {
      instrument: { currencyTitle: "LTC", networkTitle: "LTC", slug: "ltc" },
      fee: 100_000n,
      reader: () => this.reader(),
      wallet: async () => this.wallet(),
      mine: () => this.devnet.mine(1),
      height: () => this.devnet.height(),
      newAddress: () => this.newAddress(),
      received: async (address) => (await heldAt(this.setup, address)).map((amount) => BigInt(amount.replace(".", ""))),
    };
  }

  /** From now on the node estimates that a byte costs so much; it loses `lost` calls before they arrive. */
  raiseFees(perByte: bigint, lost: readonly string[] = []): void {
    this.line.misbehave(({ method }) => {
      if (lost.includes(method)) return { kind: "cut" };
      if (method !== "estimatesmartfee") return { kind: "pass" };
      return { kind: "answer", body: { result: { feerate: Number(formatAmount(perByte * 1_000n, 8)), blocks: 6 } } };
    });
  }

  /** An address whose coins are never spent. */
  newAddress(): Promise<string> {
    return this.setup.receiver("getnewaddress", [], text);
  }

  async isWaiting(txId: string): Promise<boolean> {
    return (await this.setup.ask("getrawmempool", [], z.array(text))).includes(txId);
  }

  /** Mines what waits in the mempool and pays too little for a block. */
  async mineThese(txIds: readonly string[]): Promise<void> {
    await this.prioritise(txIds, PRIORITY);
    await this.devnet.mine(1);
    await this.prioritise(txIds, -PRIORITY);
  }

  async prioritise(txIds: readonly string[], delta: number): Promise<void> {
    for (const txId of txIds) await this.setup.ask("prioritisetransaction", [txId, 0, delta], anything);
  }

  /** Undoes the newest block, and brings another transaction in the place of what it held. */
  async swapNewest({ raw, txId }: { raw: string; txId: string }): Promise<void> {
    await this.setup.ask("invalidateblock", [await this.setup.ask("getbestblockhash", [], text)], anything);
    await this.prioritise([txId], PRIORITY);
    await this.setup.ask("sendrawtransaction", [raw], text);
    await this.devnet.mine(2);
    await this.prioritise([txId], -PRIORITY);
  }

  async end(): Promise<void> {
    await this.#line?.stop();
    await this.setup.end();
  }

  #options() {
    return { networkTitle: "LTC", kind: "regtest", timeoutMs: 30_000, rpcUrl: this.#rpcUrl } as const;
  }
}

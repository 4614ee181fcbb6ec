import { numberToHex, pad, type Hex } from "viem";
import * as z from "zod";
import { eventually } from "../eventually.ts";

const hexSchema = z.string().regex(/^0x[0-9a-f]*$/i);
const logsSchema = z.array(z.object({ data: hexSchema, transactionHash: hexSchema }));
const receiptSchema = z.object({ blockNumber: hexSchema, status: hexSchema }).nullable();

/** keccak256("Transfer(address,address,uint256)") */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** The server never spends from the last five accounts of the node (contract §7). */
const CUSTOMER = 9;
/** On its way from the pool into a block a node may not know a transaction for a moment. */
const FORGOTTEN_AFTER_MS = 5_000;

/** The chain by JSON-RPC, without the server. */
export class DevnetRpc {
  readonly url: string;
  #id = 0;

  constructor(url: string) {
    this.url = url;
  }

  async call<Answer>(method: string, params: unknown[], answer: z.ZodType<Answer>): Promise<Answer> {
    this.#id += 1;
    const reply = await fetch(this.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: this.#id, method, params }),
    });
    const { result, error } = z
      .object({ result: z.unknown().optional(), error: z.unknown().optional() })
      .parse(await reply.json());
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return answer.parse(result);
  }

  /** A payment in ETH by account 9; returns the transaction's id. */
  async pay(to: string, wei: bigint): Promise<string> {
    const from = (await this.call("eth_accounts", [], z.array(hexSchema)))[CUSTOMER];
    return this.call("eth_sendTransaction", [{ from, to, value: numberToHex(wei) }], hexSchema);
  }

  /**
   * The same, once a block has it. A customer whose wallet says that the node has forgotten a payment sends it again; one that is on the chain
   * or waits for it is never repeated.
   */
  async payMined(to: string, wei: bigint): Promise<string> {
    for (;;) {
      const txId = await this.pay(to, wei);
      let knownAt = performance.now();
      const end = await eventually(`a block has ${txId}`, async () => {
        if ((await this.confirmations(txId)) > 0) return "mined";
        if ((await this.call("eth_getTransactionByHash", [txId], z.unknown())) !== null) knownAt = performance.now();
        return performance.now() - knownAt > FORGOTTEN_AFTER_MS ? "forgotten" : null;
      });
      if (end === "mined") return txId;
      console.log(`  the node has forgotten the payment ${txId}`);
    }
  }

  async mine(blocks: number): Promise<void> {
    await this.call("anvil_mine", [numberToHex(blocks)], z.null());
  }

  async height(): Promise<number> {
    return Number(await this.call("eth_blockNumber", [], hexSchema));
  }

  async tokenBalance(contract: string, owner: string): Promise<bigint> {
    const data = `0x70a08231${pad(asHex(owner)).slice(2)}`;
    return BigInt(await this.call("eth_call", [{ to: contract, data }, "latest"], hexSchema));
  }

  /** Every transfer of a token that ever reached the address. */
  async tokenTransfers(contract: string, to: string): Promise<{ amount: bigint; txId: string }[]> {
    const filter = { address: contract, fromBlock: "0x0", toBlock: "latest", topics: [TRANSFER, null, pad(asHex(to))] };
    const logs = await this.call("eth_getLogs", [filter], logsSchema);
    return logs.map((log) => ({ amount: BigInt(log.data), txId: log.transactionHash }));
  }

  /** How many blocks hold or follow the transaction; 0 when it is in none. */
  async confirmations(txId: string): Promise<number> {
    const receipt = await this.call("eth_getTransactionReceipt", [txId], receiptSchema);
    return receipt?.status === "0x1" ? (await this.height()) - Number(receipt.blockNumber) + 1 : 0;
  }
}

function asHex(address: string): Hex {
  return `0x${address.slice(2).toLowerCase()}`;
}

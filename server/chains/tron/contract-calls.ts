import { minOf } from "#contract/money.ts";
import { hexOfBase58, wordOf } from "../addresses/trx.ts";
import type { TronRpc } from "./rpc.ts";
import { accountSchema, callSchema, constantCallSchema } from "./schemas.ts";

type View = "wallet" | "walletsolidity";
type Call = { from: string; contract: string; selector: string; parameter: string };

/** A contract call was simulated and would fail, or the node can't simulate it. */
export class CallRefusedError extends Error {
  override name = "CallRefusedError";
  /** The contract itself refuses; else the node does. */
  readonly byContract: boolean;

  constructor(message: string, byContract: boolean) {
    super(message);
    this.byContract = byContract;
  }
}

/** Simulates a call; returns its result and the energy that it takes. Throws `CallRefusedError`. */
async function simulateCall(http: TronRpc, view: View, { from, contract, selector, parameter }: Call) {
  const answer = await http.call(
    `${view}/triggerconstantcontract`,
    {
      owner_address: hexOfBase58(from),
      contract_address: hexOfBase58(contract),
      function_selector: selector,
      parameter,
    },
    constantCallSchema,
  );
  const { result, transaction, constant_result: returned, energy_used: energy } = answer;
  const reason = `${selector} of ${contract}: ${result.code ?? ""} ${textOf(result.message)}`;
  if (!result.result && (result.code ?? "SUCCESS") !== "SUCCESS") throw new CallRefusedError(reason, false);
  // A call that reverts is answered with result true: it failed only by its own transaction's word.
  if (!result.result || transaction?.ret.some(({ ret }) => ret === "FAILED")) throw new CallRefusedError(reason, true);
  return { returned: returned[0] ?? "", energy };
}

/** The energy that a transfer of tokens takes, simulated with these values. Throws when it would fail. */
export async function transferEnergy(
  http: TronRpc,
  payment: { from: string; to: string; contract: string; amount: bigint },
): Promise<bigint> {
  const { from, to, contract, amount } = payment;
  const parameter = transferParameters(to, amount);
  return (await simulateCall(http, "wallet", { from, contract, selector: TRANSFER, parameter })).energy;
}

/** What an address holds of a token, or of the network's own coin where `contract` is null, in minor units. */
async function readBalance(http: TronRpc, view: View, owner: string, contract: string | null): Promise<bigint> {
  if (contract === null) {
    const { balance } = await http.call(`${view}/getaccount`, { address: hexOfBase58(owner) }, accountSchema);
    return balance;
  }
  const call = { from: owner, contract, selector: BALANCE_OF, parameter: wordOf(owner) };
  const { returned } = await simulateCall(http, view, call);
  if (returned.length !== 64) throw new Error(`${contract} gave no balance of ${owner}`);
  return BigInt(`0x${returned}`);
}

/** The smaller of the final and the newest balance: without coins that may still vanish, and without coins that are already spent. */
export async function safeBalance(http: TronRpc, owner: string, contract: string | null): Promise<bigint> {
  const [newest, solid] = await Promise.all([
    readBalance(http, "wallet", owner, contract),
    readBalance(http, "walletsolidity", owner, contract),
  ]);
  return minOf(newest, solid);
}

/** Messages come as hex or as plain text. */
export const textOf = (message = ""): string =>
  /^([0-9a-f]{2})+$/i.test(message) ? Buffer.from(message, "hex").toString("utf8") : message;

/** Transfer(address,address,uint256), as every ERC-20 and TRC-20 logs it. */
export const TRANSFER_TOPIC = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

export const TRANSFER = "transfer(address,uint256)";
const BALANCE_OF = "balanceOf(address)";

/** The first four bytes of a call of it. */
const TRANSFER_SELECTOR = "a9059cbb";

/** What a token's transfer moves where it is made in full: addresses as 20 bytes in hex. Null for anything else. */
export function readTransferCall(
  call: { type: string; parameter: { value: unknown } } | undefined,
): { from: string; contract: string; to: string; amount: bigint } | null {
  if (call?.type !== "TriggerSmartContract") return null;
  const { owner_address: from, contract_address: contract, data } = callSchema.parse(call.parameter.value);
  if (!data.startsWith(TRANSFER_SELECTOR) || data.length !== TRANSFER_SELECTOR.length + 128) return null;
  const [to, amount] = [data.slice(-104, -64), data.slice(-64)];
  return { from, contract, to, amount: BigInt(`0x${amount}`) };
}

/** The parameters of `transfer`, for a call that is only simulated. */
const transferParameters = (to: string, amount: bigint): string => wordOf(to) + amount.toString(16).padStart(64, "0");

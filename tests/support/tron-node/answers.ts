import type { Refused } from "./execution.ts";
import type { Block, SentTransaction } from "./chain.ts";
import { encodeRaw } from "./protobuf.ts";
import { callToken, copyOf, type CallResult, type State } from "./state.ts";

/** Answers in the form of java-tron's HTTP API: addresses in hex, zeros left out. */

export const blockAnswer = ({ height, hash, parentHash, timestamp, transactions }: Block, detail: boolean) => ({
  blockID: hash,
  block_header: {
    raw_data: { ...(height > 0 && { number: height }), parentHash, timestamp, version: 34 },
    witness_signature: "",
  },
  ...(detail && transactions.length > 0 && { transactions: transactions.map(transactionAnswer) }),
});

export const transactionAnswer = ({
  txID,
  raw,
  signature,
  ...rest
}: SentTransaction & Partial<Block["transactions"][0]>) => ({
  ...(rest.execution && { ret: [{ contractRet: rest.execution.contractRet }] }),
  signature: [signature],
  txID,
  raw_data: raw,
  raw_data_hex: encodeRaw(raw).toString("hex"),
});

export function infoAnswer(block: Block, at: number) {
  const found = block.transactions[at];
  if (found === undefined) throw new Error(`block ${block.height} has no transaction ${at}`);
  const { txID, raw, execution } = found;
  const isCall = raw.contract[0].type === "TriggerSmartContract";
  const failed = execution.contractRet !== "SUCCESS";
  return {
    id: txID,
    ...(execution.fee > 0 && { fee: execution.fee }),
    blockNumber: block.height,
    blockTimeStamp: block.timestamp,
    contractResult: [""],
    ...(failed && { result: "FAILED", resMessage: hexOf("REVERT opcode executed") }),
    receipt: {
      ...(execution.netFee > 0 && { net_fee: execution.netFee }),
      ...(execution.energyFee > 0 && { energy_fee: execution.energyFee, energy_usage_total: execution.energy }),
      ...(isCall && { result: execution.contractRet }),
    },
    ...(execution.logs.length > 0 && { log: execution.logs }),
  };
}

/** A simulated call: one that reverts is recognised only by its transaction's own result. */
export function constantAnswer(state: State, from: string, contract: string, data: string) {
  const result: CallResult | null = callToken(copyOf(state), from, contract, data);
  if (result === null)
    return { result: { code: "CONTRACT_VALIDATE_ERROR", message: hexOf("Smart contract is not exist.") } };
  if (!result.ok)
    return {
      result: { result: true, message: hexOf("REVERT opcode executed") },
      energy_used: result.energy,
      constant_result: [""],
      transaction: { ret: [{ ret: "FAILED" }] },
    };
  return {
    result: { result: true },
    energy_used: result.energy,
    constant_result: [result.returned],
    transaction: { ret: [{}] },
  };
}

export const refusal = ({ code, message }: Refused, txid: string) => ({ code, txid, message: hexOf(message) });

export const hexOf = (text: string): string => Buffer.from(text).toString("hex");

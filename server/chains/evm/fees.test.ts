import { numberToHex } from "viem";
import { expect, it } from "vitest";
import { NotEnoughFundsError } from "../port.ts";
import { gasWithin } from "./fees.ts";
import type { EvmRpc } from "./rpc.ts";

const HOLDER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const TOKEN = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const CAP = 300_000n;

/** A node that refuses to estimate for a reason of the token's own, with what the payer holds by its pending state. */
const gasOf = (reason: string, pending: bigint, contract: typeof TOKEN | null = TOKEN) => {
  const call: EvmRpc["call"] = async (method, params, answer) => {
    if (method !== "eth_call") throw new Error(reason);
    expect(params[1]).toBe("pending");
    return answer.parse(numberToHex(pending, { size: 32 }));
  };
  return gasWithin({ call }, { from: HOLDER, to: HOLDER, contract, amount: 100n }, CAP);
};

it.each(["execution reverted: balance", "gas required exceeds allowance (30000000)"])(
  "waits for funds where the payer holds too little, whatever the token calls it: %s",
  async (reason) => {
    await expect(gasOf(reason, 99n)).rejects.toThrow(NotEnoughFundsError);
  },
);

it("blames the destination where the payer has enough", async () => {
  await expect(gasOf("execution reverted: balance", 100n)).rejects.toMatchObject({ reason: "destination_reverts" });
  await expect(gasOf("execution reverted", 0n, null)).rejects.toMatchObject({ reason: "destination_reverts" });
});

import type { Hex } from "viem";
import { bytesSchema, quantitySchema } from "../../chains/evm/answers.ts";
import { decodeBalanceOf, encodeBalanceOf } from "../../chains/evm/erc20.ts";
import type { Rpc } from "../../chains/evm/rpc.ts";
import { mineAll, sendTransfer } from "./sending.ts";
import { TOKENS } from "./tokens.ts";

/** Twice what the treasury needs, so that half of it, below which it is filled up, is still 1,000,000 USD of each asset. */
const TOKEN_TARGET = 2_000_000n;
const NATIVE_TARGET = 4_000n * 10n ** 18n;

/** Fills the treasury's wallet with real transactions where it holds less than half of what it should; says whether it had to. */
export async function fundTreasury(rpc: Rpc, contracts: Record<string, Hex>, from: Hex, to: Hex): Promise<boolean> {
  const wanted = [
    { contract: null, target: NATIVE_TARGET },
    ...TOKENS.map(({ slug, decimals }) => ({
      contract: contracts[slug] ?? null,
      target: TOKEN_TARGET * 10n ** BigInt(decimals),
    })),
  ];
  const sent: string[] = [];
  for (const { contract, target } of wanted) {
    const held = await balanceOf(rpc, contract, to);
    if (held < target / 2n) sent.push(await sendTransfer(rpc, { from, to, contract, amount: target - held }));
  }
  await mineAll(rpc, sent);
  return sent.length > 0;
}

async function balanceOf(rpc: Rpc, contract: Hex | null, owner: Hex): Promise<bigint> {
  if (contract === null) return rpc.call("eth_getBalance", [owner, "latest"], quantitySchema);
  const data = await rpc.call("eth_call", [{ to: contract, data: encodeBalanceOf(owner) }, "latest"], bytesSchema);
  return decodeBalanceOf(data as Hex);
}

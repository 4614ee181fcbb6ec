import { concatHex, hexToBigInt, padHex, size, sliceHex, type Hex } from "viem";
import type { HeldAt } from "../port.ts";
import { decodeBalanceOf, encodeBalanceOf } from "./erc20.ts";
import type { EvmInstruments } from "./instruments.ts";
import type { EvmRpc } from "./rpc.ts";
import { bytesSchema } from "./schemas.ts";

const WORD = 32;
/** Addresses in one call: their words and the answer stay far below the limits of a contract's creation. */
const ADDRESSES_PER_CALL = 300;
const TOKENS_AT_ONCE = 20;

/**
 * A creation that reads the words behind its own code as addresses and returns their balances: what nodes offer for one address at a
 * time, without a contract that would have to be deployed.
 *
 *     size := codesize - 36; codecopy(0, 36, size)
 *     for p := 0; p < size; p += 32 { mstore(p, balance(mload(p))) }
 *     return(0, size)
 */
const READ_BALANCES: Hex = "0x6024803803809160003960005b81811015601f578051318152602001600c565b506000f3";

/** What addresses hold after a block, in minor units and in the order asked. Throws where the node no longer knows that state. */
export async function balancesAt(
  rpc: EvmRpc,
  instruments: EvmInstruments,
  blockHash: string,
  asked: readonly HeldAt[],
): Promise<bigint[]> {
  const block = { blockHash };
  const coins = asked.filter(({ slug }) => instruments.contractOf(slug) === null);
  const tokens = asked.filter(({ slug }) => instruments.contractOf(slug) !== null);
  const found = new Map<HeldAt, bigint>();
  for (const some of chunksOf(coins, ADDRESSES_PER_CALL)) {
    const words = some.map(({ address }) => padHex(address as Hex, { size: WORD }));
    const data = await rpc.call("eth_call", [{ data: concatHex([READ_BALANCES, ...words]) }, block], bytesSchema);
    if (size(data as Hex) !== WORD * some.length)
      throw new Error("the node gave balances of another number of addresses");
    some.forEach((one, at) => found.set(one, hexToBigInt(sliceHex(data as Hex, WORD * at, WORD * (at + 1)))));
  }
  for (const some of chunksOf(tokens, TOKENS_AT_ONCE)) {
    const answers = await Promise.all(
      some.map(({ address, slug }) => {
        const call = { to: instruments.contractOf(slug), data: encodeBalanceOf(address as Hex) };
        return rpc.call("eth_call", [call, block], bytesSchema);
      }),
    );
    some.forEach((one, at) => found.set(one, decodeBalanceOf(answers[at] as Hex)));
  }
  return asked.map((one) => found.get(one) ?? 0n);
}

const chunksOf = <Item>(items: readonly Item[], length: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / length) }, (_, at) => items.slice(at * length, (at + 1) * length));

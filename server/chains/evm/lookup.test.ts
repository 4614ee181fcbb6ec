import { numberToHex, padHex, type Hex } from "viem";
import { expect, it } from "vitest";
import type * as z from "zod";
import { encodeTransfer, TRANSFER_TOPIC } from "./erc20.ts";
import { lookUp } from "./lookup.ts";
import type { EvmRpc } from "./rpc.ts";

const HOT = "0x27b1fdb04752bbc536007a920d24acb045561c26";
const CUSTOMER = "0x52908400098527886e0f7030069857d2e4169ee7";
const OWNER = "0x8617e340b3d01fa5f11f306f4090fd50e238070d";
const TOKEN = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const HASH = padHex("0x1", { size: 32 });

type Event = { from: Hex; to: Hex; amount: bigint; by?: Hex };

/** A node that has mined a transfer of 1,000 to the customer, with these events of tokens. */
function nodeWith(events: Event[]): EvmRpc {
  const logs = events.map(({ from, to, amount, by = TOKEN }, at) => ({
    address: by,
    topics: [TRANSFER_TOPIC, padHex(from), padHex(to)],
    data: padHex(numberToHex(amount)),
    logIndex: numberToHex(at),
    blockHash: HASH,
    blockNumber: "0x7",
    transactionHash: HASH,
    transactionIndex: "0x0",
    removed: false,
  }));
  const answers: Record<string, unknown> = {
    eth_getTransactionReceipt: {
      transactionHash: HASH,
      blockNumber: "0x7",
      blockHash: HASH,
      status: "0x1",
      gasUsed: "0x2",
      effectiveGasPrice: "0x3",
      from: HOT,
      to: TOKEN,
      logs,
    },
    eth_getTransactionByHash: { hash: HASH, from: HOT, to: TOKEN, input: encodeTransfer(CUSTOMER, 1_000n) },
  };
  const call = async <T>(method: string, _: unknown, schema: z.ZodType<T>): Promise<T> => schema.parse(answers[method]);
  return { call };
}

it.each<[string, Event[], object]>([
  ["all of it", [{ from: HOT, to: CUSTOMER, amount: 1_000n }], { succeeded: true }],
  [
    "less, with a fee of the token",
    [
      { from: HOT, to: OWNER, amount: 1n },
      { from: HOT, to: CUSTOMER, amount: 999n },
    ],
    { succeeded: false, moved: { spent: 1_000n, arrived: 999n } },
  ],
  [
    "nothing to its recipient",
    [{ from: HOT, to: OWNER, amount: 5n }],
    { succeeded: false, moved: { spent: 5n, arrived: 0n } },
  ],
  ["nothing of ours", [{ from: OWNER, to: CUSTOMER, amount: 999n }], { succeeded: false }],
  ["another token", [{ from: HOT, to: CUSTOMER, amount: 999n, by: OWNER }], { succeeded: false }],
  ["nothing", [], { succeeded: false }],
])("a token's payment whose events move %s", async (_, events, expected) => {
  const { succeeded, moved } = { moved: undefined, ...(await lookUp(nodeWith(events), HASH)) } as {
    succeeded: boolean;
    moved?: object;
  };
  expect({ succeeded, ...(moved !== undefined && { moved }) }).toEqual(expected);
});

import { expect, it } from "vitest";
import type * as z from "zod";
import { base58OfHex, wordOf } from "../addresses/trx.ts";
import { TRANSFER_TOPIC } from "./contract-calls.ts";
import { lookUp } from "./lookup.ts";
import type { TronRpc } from "./rpc.ts";

const HOT = "27b1fdb04752bbc536007a920d24acb045561c26";
const CUSTOMER = "52908400098527886e0f7030069857d2e4169ee7";
const OWNER = "8617e340b3d01fa5f11f306f4090fd50e238070d";
const TOKEN = "a614f803b6fd780986a42c78ec9c7f77e6ded13c";
const HASH = "1".padStart(64, "0");
const BLOCK = `${"7".padStart(16, "0")}${"0".repeat(48)}`;

type Event = { from: string; to: string; amount: bigint; by?: string };
const word = (value: bigint): string => value.toString(16).padStart(64, "0");
const wordOfHex = (address: string): string => wordOf(base58OfHex(`41${address}`));

const TRANSFER_CALL = {
  type: "TriggerSmartContract",
  parameter: {
    value: {
      owner_address: `41${HOT}`,
      contract_address: `41${TOKEN}`,
      data: `a9059cbb${wordOfHex(CUSTOMER)}${word(1_000n)}`,
    },
  },
};
const COINS = {
  type: "TransferContract",
  parameter: { value: { owner_address: `41${HOT}`, to_address: `41${CUSTOMER}`, amount: 1_000 } },
};

/** A node that has a payment of 1,000 to the customer in a final block, with these events of tokens. */
function nodeWith(events: Event[], given: { contract?: object; result?: string } = {}): TronRpc {
  const { contract = TRANSFER_CALL, result = "SUCCESS" } = given;
  const log = events.map(({ from, to, amount, by = TOKEN }) => ({
    address: by,
    topics: [TRANSFER_TOPIC, wordOfHex(from), wordOfHex(to)],
    data: word(amount),
  }));
  const answers: Record<string, unknown> = {
    "walletsolidity/gettransactioninfobyid": { id: HASH, fee: 5, blockNumber: 7, receipt: { result }, log },
    "walletsolidity/gettransactionbyid": { txID: HASH, raw_data: { contract: [contract] } },
    "walletsolidity/getblock": {
      blockID: BLOCK,
      block_header: { raw_data: { number: 7, parentHash: HASH, timestamp: 1 } },
    },
  };
  const call = async <T>(path: string, _: unknown, schema: z.ZodType<T>): Promise<T> => schema.parse(answers[path]);
  return { call };
}

const resultOf = async (node: TronRpc) => {
  const { succeeded, moved } = { moved: undefined, ...(await lookUp(node, HASH)) } as {
    succeeded: boolean;
    moved?: object;
  };
  return { succeeded, ...(moved !== undefined && { moved }) };
};

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
  ["another token", [{ from: HOT, to: CUSTOMER, amount: 1_000n, by: OWNER }], { succeeded: false }],
  ["nothing", [], { succeeded: false }],
])("a token's payment whose events move %s", async (_, events, expected) => {
  expect(await resultOf(nodeWith(events))).toEqual(expected);
});

it("a payment of the coin has no events, and one that failed has moved nothing", async () => {
  expect(await resultOf(nodeWith([], { contract: COINS }))).toEqual({ succeeded: true });
  const full = [{ from: HOT, to: CUSTOMER, amount: 1_000n }];
  expect(await resultOf(nodeWith(full, { result: "OUT_OF_ENERGY" }))).toEqual({ succeeded: false });
});

import * as z from "zod";

const hex = z.string().regex(/^([0-9a-f]{2})*$/i);
const int64 = z.int().nonnegative();

const transfer = z.object({ owner_address: hex, to_address: hex, amount: int64 });
const trigger = z.object({ owner_address: hex, contract_address: hex, data: hex });
const any = <Value extends z.ZodType>(value: Value) => z.object({ value });

/** The two kinds of transaction that are known here, as `/wallet/broadcasttransaction` takes them. */
export const rawSchema = z.object({
  contract: z.tuple([
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("TransferContract"), parameter: any(transfer) }),
      z.object({ type: z.literal("TriggerSmartContract"), parameter: any(trigger) }),
    ]),
  ]),
  ref_block_bytes: hex.length(4),
  ref_block_hash: hex.length(16),
  expiration: int64,
  timestamp: int64,
  fee_limit: int64.optional(),
});
export type RawTransaction = z.infer<typeof rawSchema>;

const TYPE = { TransferContract: 1, TriggerSmartContract: 31 } as const;

/** `protocol.Transaction.raw` in its own bytes: java-tron signs and hashes what it has serialised itself, not what it received. */
export function encodeRaw(raw: RawTransaction): Buffer {
  const [contract] = raw.contract;
  const inner =
    contract.type === "TransferContract"
      ? [
          bytes(1, fromHex(contract.parameter.value.owner_address)),
          bytes(2, fromHex(contract.parameter.value.to_address)),
          number(3, contract.parameter.value.amount),
        ]
      : [
          bytes(1, fromHex(contract.parameter.value.owner_address)),
          bytes(2, fromHex(contract.parameter.value.contract_address)),
          bytes(4, fromHex(contract.parameter.value.data)),
        ];
  const parameter = [
    bytes(1, Buffer.from(`type.googleapis.com/protocol.${contract.type}`)),
    bytes(2, Buffer.concat(inner)),
  ];
  return Buffer.concat([
    bytes(1, fromHex(raw.ref_block_bytes)),
    bytes(4, fromHex(raw.ref_block_hash)),
    number(8, raw.expiration),
    bytes(11, Buffer.concat([number(1, TYPE[contract.type]), bytes(2, Buffer.concat(parameter))])),
    number(14, raw.timestamp),
    number(18, raw.fee_limit ?? 0),
  ]);
}

const fromHex = (text: string): Buffer => Buffer.from(text, "hex");

function varint(value: number): Buffer {
  const out: number[] = [];
  let left = BigInt(value);
  for (; left > 0x7fn; left >>= 7n) out.push(Number(left & 0x7fn) | 0x80);
  out.push(Number(left));
  return Buffer.from(out);
}

const bytes = (field: number, content: Buffer): Buffer =>
  Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
const number = (field: number, value: number): Buffer =>
  value === 0 ? Buffer.alloc(0) : Buffer.concat([varint(field * 8), varint(value)]);

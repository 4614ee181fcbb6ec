import { expect, test } from "vitest";
import type { Order } from "#contract/order.ts";
import { csvOf } from "./csv.ts";

const AT = "2026-11-21T12:00:00.000Z";
const LATER = "2026-11-21T12:34:56.000Z";

/** What a line is made of. */
const order = (changes: object): Order =>
  ({
    reference: "7KQ4-M2XD",
    createdAt: AT,
    pair: { instrumentFrom: { currencyTitle: "ETH" }, instrumentTo: { currencyTitle: "USDT" } },
    deposits: [
      { amount: "0.3", txId: "0xin1" },
      { amount: "0.2", txId: "0xin2" },
    ],
    withdrawals: [],
    orderEvents: [{ kind: "DEPOSIT_REGISTERED", at: AT }],
    feesTaken: null,
    ...changes,
  }) as unknown as Order;

const linesOf = (changes: object): string[] =>
  csvOf([order(changes)])
    .split("\r\n")
    .slice(1, -1);

test("an account without orders has the header alone", () => {
  expect(csvOf([])).toBe(
    "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Reference,Tx Ids\r\n",
  );
});

test.each<[string, object, string[]]>([
  ["nobody paid", { deposits: [] }, []],
  ["goes on", {}, [`${AT},0.5,ETH,,,,,7KQ4-M2XD,0xin1 0xin2`]],
  [
    "is being paid out",
    {
      withdrawals: [{ amount: "1490", kind: "payout", txId: null }],
      feesTaken: { platformFee: "7.5", networkFee: "2.5" },
    },
    [`${AT},0.5,ETH,,,,,7KQ4-M2XD,0xin1 0xin2`],
  ],
  [
    "is completed",
    {
      withdrawals: [{ amount: "1490", kind: "payout", txId: "0xout" }],
      orderEvents: [{ kind: "WITHDRAWAL_COMPLETED", at: LATER }],
      feesTaken: { platformFee: "7.5", networkFee: "2.5" },
    },
    [`${LATER},0.5,ETH,1490,USDT,10,USDT,7KQ4-M2XD,0xin1 0xin2 0xout`],
  ],
  [
    "is refunded",
    {
      withdrawals: [{ amount: "0.499", kind: "refund", txId: "0xback" }],
      orderEvents: [{ kind: "REFUND_COMPLETED", at: LATER }],
    },
    [`${LATER},0.5,ETH,0.499,ETH,0.001,ETH,7KQ4-M2XD,0xin1 0xin2 0xback`],
  ],
])("an order that %s", (_, changes, expected) => expect(linesOf(changes)).toEqual(expected));

test.each([
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\tx", "'\tx"],
  ['a"b', '"a""b"'],
  ["a,b", '"a,b"'],
  ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
])("%j in a cell is the text %j, never a formula", (reference, cell) =>
  expect(linesOf({ reference })).toEqual([`${AT},0.5,ETH,,,,,${cell},0xin1 0xin2`]),
);

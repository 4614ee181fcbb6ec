import { expect, it } from "vitest";
import type { Order, OrderEventKind } from "#contract/order.ts";
import { sampleOrder } from "../../testing/sample-order.ts";
import { type CustomerAnswer, supersededBy } from "./superseded.ts";

const PAID: OrderEventKind[] = ["CREATION_END", "DEPOSIT_REGISTERED", "INCOMING_FUNDS_DETECTED"];
const OPEN: OrderEventKind[] = [...PAID, "FIXED_RATE_SLOW_DEPOSIT_DETECTED", "RATE_MODE_CHANGED"];
const ADDRESS = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const accept: CustomerAnswer = { kind: "accept" };
const refundTo = (address: string, memo: string | null = null): CustomerAnswer => ({
  kind: "refund",
  recipient: { address, memo },
});
const order = (events: readonly OrderEventKind[], changes: Partial<Order> = {}): Order => sampleOrder(events, changes);
const refunded = (changes: Partial<Order> = {}) => order([...OPEN, "REFUND_REQUESTED"], changes);

it.each<[string, CustomerAnswer, Order, Order, "answer" | "payout" | null]>([
  ["an acceptance by a refund", accept, order(OPEN), refunded(), "answer"],
  ["no acceptance by another one", accept, order(OPEN), order([...OPEN, "RATE_MODE_CHANGE_ACCEPTED"]), null],
  ["no acceptance by a fresh offer", accept, order(OPEN), order([...OPEN, "RATE_MODE_CHANGED"]), null],
  ["a refund by one to another address", refundTo(ADDRESS), order(OPEN), refunded({ refundAddress: OTHER }), "answer"],
  [
    "a refund by one with another memo",
    refundTo(ADDRESS, "1"),
    order(OPEN),
    refunded({ refundAddress: ADDRESS, refundAddressMemo: "2" }),
    "answer",
  ],
  [
    "no refund by one to its own address, in any letters",
    refundTo(ADDRESS.toLowerCase(), ""),
    order(OPEN),
    refunded({ refundAddress: ADDRESS }),
    null,
  ],
  [
    "a refund by an acceptance",
    refundTo(ADDRESS),
    order(OPEN),
    order([...OPEN, "RATE_MODE_CHANGE_ACCEPTED"]),
    "answer",
  ],
  [
    "a refund by the payout that followed an acceptance known before",
    refundTo(ADDRESS),
    order([...OPEN, "RATE_MODE_CHANGE_ACCEPTED"]),
    order([...OPEN, "RATE_MODE_CHANGE_ACCEPTED", "FUNDS_WITHDRAWAL_START"]),
    "payout",
  ],
  ["a refund by the payout", refundTo(ADDRESS), order(PAID), order([...PAID, "FUNDS_WITHDRAWAL_START"]), "payout"],
  ["nothing where nothing came before it", refundTo(ADDRESS), order(PAID), order(PAID), null],
])("supersedes %s", (_, answer, before, now, by) => {
  expect(supersededBy(answer, before, now)).toBe(by);
});

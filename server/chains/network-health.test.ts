import { describe, expect, it } from "vitest";
import { downReason, type NetworkHealth } from "./network-health.ts";

const NOW = 10_000_000;
const LITECOIN = { standstillSeconds: 1_800, lagBlocks: 2 };
const ago = (seconds: number): number => NOW - seconds * 1_000;

const healthy: NetworkHealth = {
  isWalletReady: true,
  isPaused: false,
  hasAnswered: true,
  failingSince: null,
  hangingSince: null,
  reason: "",
  headHeight: 100,
  headSince: NOW,
  tailHeight: 100,
  readBefore: 100,
  unreadSince: null,
  highestHeight: 100,
};

describe("a network is", () => {
  it.each<[string, Partial<NetworkHealth>, RegExp | null]>([
    ["up with a new block", {}, null],
    ["up while its node owes an answer for less than 10 seconds", { hangingSince: ago(9.9) }, null],
    ["down once it owes one for 10 seconds", { hangingSince: ago(10) }, /has not answered for 10 seconds/],
    ["up before anything is known of its blocks", { headHeight: null, headSince: ago(9_999), readBefore: null }, null],
    ["down until its wallet has answered", { isWalletReady: false }, /wallet/],
    ["up while its calls have failed for less than 10 s", { failingSince: ago(9.9) }, null],
    [
      "down at the first failure before anything has succeeded",
      { hasAnswered: false, failingSince: NOW },
      /calls fail/,
    ],
    ["down once its calls have failed for 10 s", { failingSince: ago(10), reason: "refused" }, /refused/],
    ["up for half an hour without a block", { headSince: ago(1_799) }, null],
    ["down after half an hour without a block", { headSince: ago(1_800) }, /same for 1800 seconds/],
    ["up without a block while its blocks are paused", { headSince: ago(9_999), isPaused: true }, null],
    ["down while its calls fail, paused or not", { failingSince: ago(10), isPaused: true }, /calls fail/],
    ["up while its node is level with what was read", { headHeight: 100, readBefore: 100 }, null],
    ["down while its node is behind what was read", { headHeight: 99, highestHeight: 99 }, /behind block 100/],
    ["up while a block was read since its node was asked", { headHeight: 100, readBefore: 100, tailHeight: 101 }, null],
    ["up while its nodes differ by the bound", { highestHeight: 102 }, null],
    ["down while its nodes differ by more", { highestHeight: 103 }, /one of them is at block 103/],
    ["up while old blocks are being read", { tailHeight: 40, unreadSince: ago(1_799) }, null],
    ["down while none is read and others follow", { tailHeight: 40, unreadSince: ago(1_800) }, /the block after 40/],
  ])("%s", (_title, changes, expected) => {
    const reason = downReason({ ...healthy, ...changes }, LITECOIN, NOW);
    if (expected === null) expect(reason).toBeNull();
    else expect(reason).toMatch(expected);
  });
});

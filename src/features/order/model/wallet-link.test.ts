import { expect, it } from "vitest";
import { opensInWallet } from "./wallet-link.ts";

it.each([
  ["bitcoin:bc1q?amount=1", true],
  ["litecoin:ltc1q?amount=1", true],
  ["monero:4A?tx_amount=1", true],
  ["ethereum:0x1@1?value=1", true],
  ["tron:T1?amount=1", false],
  ["ripple:r1?dt=1", false],
  ["web+cardano:addr1?amount=1", false],
  ["0x1", false],
  ["", false],
])("%s: %s", (uri, opens) => expect(opensInWallet(uri)).toBe(opens));

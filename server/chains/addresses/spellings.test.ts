import { base58xmr } from "@scure/base";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { expect, it } from "vitest";
import { accountOf, accountsWritten, parseAddressOf } from "./index.ts";

const CASH = "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a";
const ETHER = "0x52908400098527886E0F7030069857D2E4169EE7";
const IOTEX = "io1nyjs526mnqcsx4twa7nptkg08eclsw5c2dywp4";
const TON = "UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA";
const XMR = "44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A";

const canonical = (network: string, text: string): string => {
  const parsed = parseAddressOf(network, text);
  if (!parsed.valid) throw new Error(`${text} is no address of ${network}`);
  return parsed.canonical;
};

it.each([
  ["CashAddr without its prefix", "BCH", CASH.slice("bitcoincash:".length)],
  ["CashAddr in capitals", "BCH", CASH.toUpperCase()],
  ["Bitcoin Cash as Bitcoin writes it", "BCH", "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", CASH],
  ["segwit in capitals", "BTC", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"],
  [
    "Litecoin's script as Bitcoin writes it",
    "LTC",
    "3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAj",
    "MJRSgZ3UUFcTBTBAaN38XAXvZLwRe8WVw7",
  ],
  ["an account of TON that bounces", "TON", "EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF", TON],
  ["an account of TON in the other alphabet", "TON", TON.replaceAll("-", "+").replaceAll("_", "/"), TON],
  ["a raw account of TON", "TON", "0:CA6E321C7CCE9ECEDF0A8CA2492EC8592494AA5FB5CE0387DFF96EF6AF982A3E", TON],
  ["an X-address", "XRP", "XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi", "rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf"],
  ["ether in small letters", "ETH", ETHER.toLowerCase(), ETHER],
  ["an account of IoTeX as Ethereum writes it", "IOTX", "0x99250a2b5b983103556eefa615d90f3e71f83a98", IOTEX],
  ["an account of Ethereum as IoTeX writes it", "ETH", IOTEX, "0x99250a2B5b983103556Eefa615D90f3E71F83a98"],
  [
    "an account of TRON in hex",
    "TRX",
    "41A614F803B6FD780986A42C78EC9C7F77E6DED13C",
    "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  ],
])("an entry of %s means the address that orders have", (_what, network, text, address = canonical(network, text)) => {
  expect(accountsWritten(text)).toContain(address);
});

it("an integrated address of Monero is the account that it carries a payment id to", () => {
  const body = Uint8Array.of(19, ...base58xmr.decode(XMR).subarray(1, 65), 1, 2, 3, 4, 5, 6, 7, 8);
  const integrated = base58xmr.encode(Uint8Array.of(...body, ...keccak_256(body).subarray(0, 4)));
  expect(canonical("XMR", integrated)).toBe(integrated);
  expect(accountOf(integrated)).toBe(XMR);
  expect(accountsWritten(integrated)).toEqual([XMR]);
  expect(accountOf(XMR)).toBe(XMR);
});

it.each(["", "destination", "ann@mail.example", `${ETHER}0`, "41zz", "2:00", "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggv"])(
  "%j means no address",
  (text) => {
    expect(accountsWritten(text)).toEqual([]);
  },
);

import { createHash } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { base32nopad, base58, base58xrp, base64urlnopad, bech32, bech32m } from "@scure/base";
import { encodeCashAddr } from "../../../server/chains/addresses/bch.ts";
import { base58check, crc16 } from "../../../server/chains/addresses/parser.ts";

/** Bytes that look random and are the same in each run. */
const bytes = (name: string, length: number): Uint8Array =>
  createHash("shake256", { outputLength: Math.max(length, 1) })
    .update(name)
    .digest()
    .subarray(0, length);

const pick = <Item>(items: readonly Item[], at: number): Item => items[Math.floor(at) % items.length] as Item;

const segwit = (prefix: string, version: number, program: Uint8Array): string =>
  (version === 0 ? bech32 : bech32m).encode(prefix, [version, ...bech32.toWords(program)], 120);

function bitcoinText(prefix: string, name: string, round: number): string {
  const program = bytes(name, pick([20, 20, 32, 32, 32, 2, 19, 33, 40], round >> 1));
  if (round % 3 === 0)
    return base58check.encode(Uint8Array.of(pick([0x00, 0x05, 0x30, 0x32, 0x1e, 0x6f, 0xc4], round / 3), ...program));
  return segwit(prefix, round % 3 === 1 ? round % 2 : round % 17, program);
}

function xrpText(name: string, round: number): string {
  const [account, tag] = [bytes(name, 20), bytes(`${name} tag`, 4)];
  const body = pick(
    [
      [0, ...account],
      [0x05, 0x44, ...account, 1, ...tag, 0, 0, 0, 0],
      [0x05, 0x44, ...account, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      // a tag without the flag that says so, a tag of 64 bits, an unknown flag, and the test network
      [0x05, 0x44, ...account, 0, ...tag, 0, 0, 0, 0],
      [0x05, 0x44, ...account, 1, ...tag, 1, 0, 0, 0],
      [0x05, 0x44, ...account, 2, ...tag, 0, 0, 0, 0],
      [0x05, 0x93, ...account, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      [round % 256, ...bytes(name, pick([20, 19, 33], round))],
    ],
    round,
  );
  const sha256 = (data: Uint8Array) => createHash("sha256").update(data).digest();
  return base58xrp.encode(Uint8Array.of(...body, ...sha256(sha256(Uint8Array.from(body))).subarray(0, 4)));
}

function xlmText(name: string, round: number): string {
  const version = pick([6, 12, 6, 12, 18, 2, 23], round >> 1) << 3;
  const key = round % 2 === 0 ? ed25519.getPublicKey(bytes(name, 32)) : bytes(name, 32);
  const body = Uint8Array.of(version, ...key, ...bytes(`${name} id`, version === 96 ? 8 : 0));
  const crc = crc16(body);
  return base32nopad.encode(Uint8Array.of(...body, crc & 0xff, crc >> 8));
}

function tonText(name: string, round: number): string {
  const tag = pick([0x11, 0x51, 0x91, 0xd1, round % 256], round);
  const body = Uint8Array.of(tag, pick([0, 0, 0xff, round % 256], round >> 2), ...bytes(name, 32));
  const crc = crc16(body);
  return base64urlnopad.encode(Uint8Array.of(...body, crc >> 8, crc & 0xff));
}

function adaText(name: string, round: number): string {
  const kind = pick([0, 2, 4, 6, round % 16], round);
  const pointer = bytes(`${name} pointer`, 3 + (round % 4)).map((byte, at) => (at % 2 === 0 ? byte & 0x7f : byte));
  const tail = kind < 4 ? bytes(`${name} stake`, 28) : kind < 6 ? pointer : [];
  const body = Uint8Array.of((kind << 4) | (round % 11 === 0 ? 0 : 1), ...bytes(name, 28), ...tail);
  return bech32.encode("addr", bech32.toWords(body), 120);
}

function ethText(name: string, round: number): string {
  const digits = Buffer.from(bytes(name, 20)).toString("hex");
  return pick([`0x${digits}`, `0x${digits.toUpperCase()}`, digits, `0X${digits}`, `0x${digits.slice(1)}`], round);
}

/** Texts in the form of a network with a right checksum, of which about half break a rule behind it: version, length, curve, network. */
const WRITERS: Readonly<Record<string, (name: string, round: number) => string>> = {
  BTC: (name, round) => bitcoinText("bc", name, round),
  LTC: (name, round) => bitcoinText("ltc", name, round),
  DOGE: (name, round) =>
    base58check.encode(
      Uint8Array.of(pick([0x1e, 0x16, 0x00, 0x9e], round), ...bytes(name, pick([20, 20, 20, 21], round >> 2))),
    ),
  BCH: (name, round) =>
    encodeCashAddr(
      "bitcoincash",
      Uint8Array.of(
        pick([0, 8, 16, 24, 11, 27, round % 32], round),
        ...bytes(name, pick([20, 20, 32, 28], round >> 1)),
      ),
    ),
  XRP: xrpText,
  XLM: xlmText,
  TON: tonText,
  SOL: (name, round) =>
    base58.encode(
      round % 2 === 0 ? ed25519.getPublicKey(bytes(name, 32)) : bytes(name, pick([32, 32, 32, 31, 33], round)),
    ),
  ADA: adaText,
  TRX: (name, round) =>
    base58check.encode(
      Uint8Array.of(pick([0x41, 0x41, 0xa0, 0x42], round), ...bytes(name, pick([20, 20, 21], round >> 2))),
    ),
  ETH: ethText,
};

export const writeTexts = (network: string, count: number): string[] =>
  Array.from({ length: count }, (_, round) => WRITERS[network]?.(`${network} ${round}`, round) ?? "");

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_+/:=";

/** A text with one letter changed, missing, doubled or swapped with the next, and in the other cases. */
export function mutationsOf(text: string, name: string): string[] {
  const [where = 0, what = 0] = bytes(name, 2);
  const at = where % text.length;
  const letter = text[at] ?? "";
  return [
    text.slice(0, at) + pick(LETTERS.split(""), what) + text.slice(at + 1),
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + letter + text.slice(at),
    text.slice(0, at) + (text[at + 1] ?? "") + letter + text.slice(at + 2),
    text.toUpperCase(),
    text.toLowerCase(),
    `${text.slice(0, -1)}=`,
  ];
}

import { TronWeb } from "tronweb";
import { describe, expect, it } from "vitest";
import { base58OfHex, hexOfBase58 } from "../addresses/trx.ts";
import { expectedEnergy, nativeCost, readPrices } from "./fees.ts";
import { readTronInstruments } from "./instruments.ts";
import { tronAddressesBelow, tronDepositAccounts, tronDepositXpub, tronHotAccount } from "./keys.ts";
import { createTronNetwork } from "./network.ts";
import type { TronRpc } from "./rpc.ts";
import { infoSchema, blockRefSchema, fullBlockSchema } from "./schemas.ts";

const MNEMONIC = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
const USDT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const INSTRUMENTS = [
  { slug: "trx", contractAddress: null, decimals: 6 },
  { slug: "usdt-trc20", contractAddress: USDT, decimals: 6 },
];
const network = (hotAddress: string | null = null) =>
  createTronNetwork({
    networkTitle: "TRX",
    rpcUrl: "http://127.0.0.1:9",
    solidityUrl: "http://127.0.0.1:9",
    apiKey: null,
    chainId: 1,
    timeoutMs: 500,
    instruments: INSTRUMENTS,
    xpub: tronDepositXpub(MNEMONIC),
    hotAddress,
  });

describe("addresses of TRON", () => {
  it("are derived from a public key as tronweb derives them from a private one", () => {
    const at = tronAddressesBelow(tronDepositXpub(MNEMONIC));
    expect(at(0n)).toBe("TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH");
    for (const index of [0n, 1n, 41n, 2n ** 31n - 1n]) {
      const known = TronWeb.fromMnemonic(MNEMONIC, `m/44'/195'/0'/0/${index}`);
      expect(at(index)).toBe(known.address);
      expect(tronDepositAccounts(MNEMONIC)(index)).toEqual({
        address: known.address,
        privateKey: known.privateKey.slice(2),
      });
    }
    expect(tronHotAccount(MNEMONIC).address).toBe(TronWeb.fromMnemonic(MNEMONIC, "m/44'/195'/1'/0/0").address);
    expect(() => at(2n ** 31n)).toThrow(RangeError);
  });

  it("are 21 bytes on the wire", () => {
    expect(hexOfBase58(USDT)).toBe("41a614f803b6fd780986a42c78ec9c7f77e6ded13c");
    expect(base58OfHex("41a614f803b6fd780986a42c78ec9c7f77e6ded13c")).toBe(USDT);
    expect(() => hexOfBase58("41a614f803b6fd780986a42c78ec9c7f77e6ded13c")).toThrow("not an address");
  });

  it("of a contract and of the treasury are refused as destination", () => {
    const hot = tronHotAccount(MNEMONIC).address;
    const { parseAddress, depositAddress } = network(hot);
    expect(parseAddress(depositAddress(7n).address).valid).toBe(true);
    expect([parseAddress(USDT).valid, parseAddress(hot).valid]).toEqual([false, false]);
  });

  it("are paid by a URI that names the amount of the coin, and never a token's", () => {
    const { depositUri } = network();
    expect(depositUri(USDT, null, "trx", 1_500_000n)).toBe(`tron:${USDT}?amount=1.5`);
    expect(depositUri(USDT, null, "usdt-trc20", 1_500_000n)).toBe(`tron:${USDT}`);
  });
});

describe("instruments of TRON", () => {
  const [trx, usdt] = INSTRUMENTS as [(typeof INSTRUMENTS)[0], (typeof INSTRUMENTS)[0]];
  it.each([
    ["two coins of its own", [trx, { ...trx, slug: "other" }]],
    ["no coin of its own", [usdt]],
    ["an instrument twice", [trx, usdt, usdt]],
    ["a contract twice", [trx, usdt, { ...usdt, slug: "other" }]],
    [
      "a contract of another network",
      [trx, { ...usdt, contractAddress: "0xdAC17F958D2ee523a2206206994597C13D831ec7" }],
    ],
  ])("are refused with %s", (_, instruments) => {
    expect(() => readTronInstruments(instruments)).toThrow();
  });
});

describe("responses of a node", () => {
  it("reads a receipt of the main test network, in which zeros are left out", () => {
    const id = "ff44a2823a870c12f12a4ca6e7647650356bc2bb5e02c5855312cf2db4c950c1";
    expect(
      infoSchema.parse({ id, blockNumber: 66_987_565, contractResult: [""], receipt: { net_fee: 267_000 } }),
    ).toEqual({
      id,
      fee: 0n,
      blockNumber: 66_987_565,
      receipt: {},
      log: [],
    });
  });

  const header = {
    blockID: "0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e",
    block_header: {
      raw_data: {
        number: 66_987_565,
        parentHash: "0000000003fe262c85cd6b02033f4c3e5c1efa35de256a17bd906dc61fb1aeed",
        timestamp: 1_777_445_121_000,
      },
    },
  };

  it("reads a block of it, and refuses one whose id has another height", () => {
    expect(blockRefSchema.parse(header)).toEqual({
      height: 66_987_565,
      hash: header.blockID,
      parentHash: header.block_header.raw_data.parentHash,
      timestamp: 1_777_445_121_000,
    });
    expect(fullBlockSchema.parse(header)?.transactions).toEqual([]);
    expect(blockRefSchema.parse({})).toBeNull();
    const moved = { ...header.block_header.raw_data, number: 66_987_566 };
    expect(blockRefSchema.safeParse({ ...header, block_header: { raw_data: moved } }).success).toBe(false);
  });
});

describe("the network's price", () => {
  const answering = (answers: Record<string, unknown>): TronRpc => ({
    call: async (path, _body, answer) => answer.parse(answers[path]),
  });
  const parameters = [
    { key: "getTransactionFee", value: 1_000 },
    { key: "getEnergyFee", value: 100 },
    { key: "getCreateNewAccountFeeInSystemContract", value: 1_000_000 },
    { key: "getCreateAccountFee", value: 100_000 },
    { key: "getAllowCreationOfContracts" },
  ];
  const transfer = { from: USDT, to: USDT, contract: USDT };

  it("of a coin's transfer includes a new account and all its bytes", async () => {
    const http = answering({ "wallet/getchainparameters": { chainParameter: parameters } });
    expect(nativeCost(await readPrices(http))).toBe(1_400_000n);
    const without = answering({ "wallet/getchainparameters": { chainParameter: parameters.slice(1) } });
    await expect(readPrices(without)).rejects.toThrow("getTransactionFee");
  });

  it.each([
    ["a node that simulates no calls", { result: { code: "CONTRACT_VALIDATE_ERROR", message: "6e6f" } }],
    ["an empty treasury", { result: { result: true }, energy_used: 3_000, transaction: { ret: [{ ret: "FAILED" }] } }],
    ["a cheap call", { result: { result: true }, energy_used: 64_285, transaction: { ret: [{}] } }],
  ])("of a token's transfer is the usual one with %s", async (_, answer) => {
    const http = answering({ "wallet/triggerconstantcontract": answer });
    expect(await expectedEnergy(http, transfer)).toBe(131_000n);
    expect(await expectedEnergy(http, null)).toBe(131_000n);
  });

  it("of a token's transfer is the higher one where it was simulated", async () => {
    const answer = { result: { result: true }, energy_used: 200_000, transaction: { ret: [{}] } };
    expect(await expectedEnergy(answering({ "wallet/triggerconstantcontract": answer }), transfer)).toBe(200_000n);
  });
});

import { describe, expect, it } from "vitest";
import { powerOfTen } from "#contract/money.ts";
import type { Handle, Payment, PreparedPayment } from "../port.ts";
import { readTronInstruments } from "./instruments.ts";
import { tronDepositAccounts, tronHotAccount } from "./keys.ts";
import { createTronWalletFrom } from "./wallet.ts";

/**
 * A node that lies about energy, bandwidth and their prices (engine law 15). All that the bytes of a transaction allow to be burnt is its fee
 * limit. With the cap none is signed beyond it; without it the same check finds one that is.
 */
const MNEMONIC = "test test test test test test test test test test test junk";
const USDT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const TRX = powerOfTen(6);
const CAP = 150n * TRX;
const UNBOUNDED = 2n ** 53n - 1n;
const HONEST = { energy: 65_000, perEnergy: 100, perByte: 1_000, newAccount: 1_000_000 };
type Says = typeof HONEST;

const accounts = tronDepositAccounts(MNEMONIC);
const [deposit, customer] = [{ address: accounts(0n).address, index: 0n }, accounts(1n).address];
const blockOf = (height: number) => ({
  blockID: height.toString(16).padStart(16, "0") + "ab".repeat(20) + "00000001",
  block_header: { raw_data: { number: height, parentHash: "cd".repeat(32), timestamp: 1_777_445_121_000 } },
});

function walletOf(feeLimit: bigint, says: Says) {
  const parameter = (key: string, value: number) => ({ key, value });
  const answers: Record<string, (body: Record<string, unknown>) => unknown> = {
    "walletsolidity/getblock": ({ id_or_num }) => blockOf(id_or_num === "0" ? 0 : 1_000),
    "wallet/getblock": () => blockOf(1_019),
    "wallet/getchainparameters": () => ({
      chainParameter: [
        parameter("getTransactionFee", says.perByte),
        parameter("getEnergyFee", says.perEnergy),
        parameter("getCreateNewAccountFeeInSystemContract", says.newAccount),
        parameter("getCreateAccountFee", says.newAccount),
      ],
    }),
    "wallet/triggerconstantcontract": () => ({ result: { result: true }, energy_used: says.energy, transaction: {} }),
    "wallet/getaccount": () => ({ balance: Number.MAX_SAFE_INTEGER }),
    "walletsolidity/getaccount": () => ({ balance: Number.MAX_SAFE_INTEGER }),
  };
  const call: Parameters<typeof createTronWalletFrom>[0]["call"] = async (path, body, answer) =>
    answer.parse(answers[path]?.(body));
  const instruments = readTronInstruments([
    { slug: "trx", contractAddress: null, decimals: 6 },
    { slug: "usdt-trc20", contractAddress: USDT, decimals: 6 },
  ]);
  const account = tronHotAccount(MNEMONIC);
  const parts = { networkTitle: "TRX", chainId: 1, instruments, account, feeLimit, depositAccountAt: accounts };
  return createTronWalletFrom({ call }, parts);
}

/** What is signed once the node lies: for a payment, for a sweep, and for rows that somebody else has written. */
async function signed(payment: Payment, feeLimit: bigint, lie: Partial<Says>): Promise<PreparedPayment[]> {
  const says = { ...HONEST };
  const wallet = walletOf(feeLimit, says);
  const before = await wallet.chooseHandle(payment, []);
  const swept = await wallet.chooseSweepHandle(deposit, payment, []);
  if (swept === null) throw new Error("an honest node lets the sweep be paid");
  Object.assign(says, lie);
  const written = { feeLimit: `${UNBOUNDED}`, cost: `${UNBOUNDED}` };
  const sweep = (handle: Handle | null) => handle && wallet.prepareSweep(deposit, payment, handle);
  const tries = [
    async () => wallet.prepare(payment, await wallet.chooseHandle(payment, [before])),
    async () => wallet.prepare(payment, before),
    async () => wallet.prepare(payment, { ...before, data: { ...before.data, ...written } }),
    async () => sweep(await wallet.chooseSweepHandle(deposit, payment, [])),
    async () => sweep({ ...swept, data: { ...swept.data, ...written } }),
  ];
  const results = await Promise.allSettled(tries.map(async (attempt) => attempt()));
  return results.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value] : []));
}

/** Bytes that say another limit than this are never signed: tronweb compares the two. */
const limitOf = ({ raw }: PreparedPayment): bigint =>
  BigInt((JSON.parse(raw) as { raw_data: { fee_limit?: number } }).raw_data.fee_limit ?? 0);
const amountOf = ({ raw }: PreparedPayment): unknown =>
  (JSON.parse(raw) as { raw_data: { contract: { parameter: { value: { amount?: number } } }[] } }).raw_data.contract[0]
    ?.parameter.value.amount;

const LIES: [string, Partial<Says>][] = [
  ["energy", { energy: 1_000 * HONEST.energy }],
  ["the price of energy", { perEnergy: 1_000 * HONEST.perEnergy }],
  ["bandwidth", { perByte: 1_000_000 * HONEST.perByte }],
  ["new accounts", { newAccount: 1_000_000 * HONEST.newAccount }],
];

describe("a payout signed with a lying node of TRON", () => {
  const token = { slug: "usdt-trc20", toAddress: customer, toMemo: null, amount: 1_000n };
  const coin = { ...token, slug: "trx" };

  it.each(LIES)("for a token burns no more than the cap when it lies about %s, and without it does", async (_, lie) => {
    const bounded = (await signed(token, CAP, lie)).map(limitOf);
    expect(bounded.length).toBeGreaterThan(0);
    for (const limit of bounded) expect(limit).toBeLessThanOrEqual(CAP);
    const unbounded = (await signed(token, UNBOUNDED, lie)).map(limitOf);
    expect(unbounded.filter((limit) => limit > CAP).length).toBeGreaterThanOrEqual(2);
  });

  it.each(["energy", "perEnergy"] as const)("for a token is bounded when the handle is chosen: %s", async (what) => {
    const wallet = walletOf(CAP, { ...HONEST, [what]: 1_000 * HONEST[what] });
    const refusal = { name: "PaymentRefusedError", reason: "fee_over_cap" };
    await expect(wallet.chooseHandle(token, [])).rejects.toMatchObject(refusal);
    await expect(wallet.chooseSweepHandle(deposit, token, [])).rejects.toMatchObject(refusal);
    await expect(wallet.sweepCost(deposit, token)).rejects.toMatchObject(refusal);
  });

  it.each(LIES)(
    "for the coin itself is the same payment without a fee limit, whatever it says of %s",
    async (_, lie) => {
      const all = await signed(coin, CAP, lie);
      expect(all.length).toBeGreaterThanOrEqual(3);
      expect(all.map(amountOf)).toEqual(all.map(() => 1_000));
      expect(all.map(limitOf)).toEqual(all.map(() => 0n));
    },
  );
});

import { parseTransaction } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { EVM_CAPS } from "../../tests/support/chains/evm-caps.ts";
import { chainOf } from "./bitcoin/chain-params.ts";
import { hotKey } from "./bitcoin/keys.ts";
import { parseTransaction as parseBitcoin } from "./bitcoin/transaction.ts";
import { createBitcoinWalletFrom } from "./bitcoin/wallet.ts";
import { readInstruments } from "./evm/instruments.ts";
import { createEvmWalletFrom } from "./evm/wallet.ts";
import type { Payment, PreparedPayment } from "./port.ts";

/**
 * Nodes that ask for absurd fees (engine law 15). With the caps nothing that is signed exceeds them; without them the same check finds what
 * does, so that it is the caps that bound it.
 */
type Signed = Pick<PreparedPayment, "raw">[];
const UNBOUNDED = 2n ** 100n;

describe("a payout signed with a lying node of an EVM network", () => {
  const GWEI = 10n ** 9n;
  const TO = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  const TOKEN = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
  const NO_CAPS = {
    nativeGas: UNBOUNDED,
    tokenGas: UNBOUNDED,
    maxFeePerGas: UNBOUNDED,
    maxPriorityFeePerGas: UNBOUNDED,
  };
  const instruments = readInstruments([
    { slug: "eth", contractAddress: null, decimals: 18 },
    { slug: "usdt", contractAddress: TOKEN, decimals: 6 },
  ]);
  const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
  const honest = { gas: 60_000n, baseFee: 10n * GWEI, tip: GWEI };
  type Says = typeof honest;

  const walletOf = (caps: typeof EVM_CAPS, says: Says) => {
    const hex = (value: bigint) => `0x${value.toString(16)}`;
    const answers: Record<string, () => unknown> = {
      eth_chainId: () => "0x1",
      eth_getTransactionCount: () => "0x0",
      eth_estimateGas: () => hex(says.gas),
      eth_maxPriorityFeePerGas: () => hex(says.tip),
      eth_getBlockByNumber: () => ({ baseFeePerGas: hex(says.baseFee) }),
    };
    const call: Parameters<typeof createEvmWalletFrom>[0]["call"] = async (method, _params, answer) =>
      answer.parse(answers[method]?.());
    return createEvmWalletFrom({ call }, { networkTitle: "ETH", chainId: 1, instruments, account, caps });
  };

  /** A payment is signed while the node is honest; then all that is signed on its nonce, and the next payment, once it lies. */
  async function sign(payment: Payment, lie: Partial<Says>, caps: typeof EVM_CAPS): Promise<Signed> {
    const says = { ...honest };
    const wallet = walletOf(caps, says);
    const first = await wallet.chooseHandle(payment, []);
    const stuck = [await wallet.prepare(payment, first)];
    Object.assign(says, lie);
    const tries = [
      async () => wallet.prepare(payment, await wallet.chooseHandle(payment, [first])),
      () => wallet.prepareReplacement?.(payment, first, stuck, [], null),
      () => wallet.prepareCancellation?.(first, stuck),
      // What an older version, or somebody else, has written into a row.
      () => wallet.prepare(payment, { ...first, data: { ...first.data, gas: "30000000" } }),
      () => wallet.prepare(payment, { ...first, data: { ...first.data, maxFeePerGas: `${9_000n * GWEI}` } }),
    ];
    const results = await Promise.allSettled(tries.map(async (attempt) => attempt()));
    return [...stuck, ...results.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value] : []))];
  }

  const overCaps = (signed: Signed): string[] =>
    signed.flatMap(({ raw }) => {
      const { gas = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(raw as `0x02${string}`);
      const gasCap = parseTransaction(raw as `0x02${string}`).data === undefined ? "nativeGas" : "tokenGas";
      const total = gas * maxFeePerGas > EVM_CAPS[gasCap] * EVM_CAPS.maxFeePerGas;
      return [
        ...(gas > EVM_CAPS[gasCap] ? ["gas"] : []),
        ...(maxFeePerGas > EVM_CAPS.maxFeePerGas ? ["fee rate"] : []),
        ...(maxPriorityFeePerGas > EVM_CAPS.maxPriorityFeePerGas ? ["tip"] : []),
        ...(total ? ["total"] : []),
      ];
    });

  describe.each(["eth", "usdt"])("for a payment of %s", (slug) => {
    const payment = { slug, toAddress: TO, toMemo: null, amount: 1_000n };
    it.each([
      ["gas", { gas: 12_000_000n }],
      ["tip", { tip: 8_000n * GWEI }],
      ["fee rate", { baseFee: 70_000n * GWEI }],
      ["total", { gas: 12_000_000n, baseFee: 70_000n * GWEI, tip: 8_000n * GWEI }],
    ] as const)("is within the caps, and without them its %s isn't", async (what, lie) => {
      expect(overCaps(await sign(payment, lie, EVM_CAPS))).toEqual([]);
      expect(overCaps(await sign(payment, lie, NO_CAPS))).toContain(what);
    });
  });
});

describe("a payout signed with a lying node of Bitcoin's family", () => {
  const shipped = chainOf("LTC", "regtest");
  const key = hotKey(shipped, "test test test test test test test test test test test junk");
  const COIN = 100_000_000n;
  const payment = { slug: "ltc", toAddress: key.address, toMemo: null, amount: COIN };
  const LIE = 50;

  /** The fees per virtual byte of what is signed for a node that asks for `LIE` coins a kilobyte, and of a row that says as much. */
  async function rates(cap: bigint): Promise<bigint[]> {
    const coins = 20n * COIN;
    const coin = { txid: "a".repeat(64), vout: 0, amount: "20", confirmations: 9 };
    const answers: Record<string, unknown> = {
      listwallets: [`wherry-${key.address}`],
      getaddressinfo: { labels: ["wherry-hot 0"] },
      listunspent: [{ ...coin, scriptPubKey: Buffer.from(key.script).toString("hex") }],
      estimatesmartfee: { feerate: String(LIE) },
      getmempoolinfo: { mempoolminfee: "0.00001" },
    };
    const chain = { ...shipped, fees: { ...shipped.fees, cap } };
    const call: Parameters<typeof createBitcoinWalletFrom>[0]["call"] = async (method, _params, answer) =>
      answer.parse(answers[method] ?? null);
    const wallet = createBitcoinWalletFrom({ call }, chain, key, async () => undefined);
    const row = {
      from: key.address,
      inputs: [{ txId: coin.txid, vout: 0, amount: `${coins}` }],
      change: [],
      fee: `${19n * COIN}`,
    };
    const results = await Promise.allSettled([
      wallet.chooseHandle(payment, []).then((handle) => wallet.prepare(payment, handle)),
      wallet.prepare(payment, { keys: [], data: row }),
    ]);
    return results.flatMap((one) => {
      if (one.status === "rejected") return [];
      const transaction = parseBitcoin(one.value.raw);
      const outputs = Array.from(
        { length: transaction.outputsLength },
        (_, at) => transaction.getOutput(at).amount ?? 0n,
      );
      const fee = coins - outputs.reduce((sum, amount) => sum + amount, 0n);
      return [fee / BigInt(transaction.vsize)];
    });
  }

  it("is within the cap for a byte, and without it isn't", async () => {
    for (const rate of await rates(shipped.fees.cap)) expect(rate).toBeLessThanOrEqual(shipped.fees.cap);
    const unbounded = await rates(UNBOUNDED);
    expect(unbounded).toHaveLength(2);
    for (const rate of unbounded) expect(rate).toBeGreaterThan(shipped.fees.cap);
  });
});

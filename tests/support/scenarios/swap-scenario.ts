import * as z from "zod";
import { parseAmount } from "#contract/money.ts";
import { stepIndex } from "#contract/order-progress.ts";
import type { Database } from "../../../server/db/database.ts";
import type { PrivateKeyAccount } from "viem/accounts";
import { readInstruments } from "../../../server/chains/evm/instruments.ts";
import { hotAccount } from "../../../server/chains/evm/keys.ts";
import { createEvmNetwork } from "../../../server/chains/evm/network.ts";
import { createEvmRpc } from "../../../server/chains/evm/rpc.ts";
import { createEvmWalletFrom } from "../../../server/chains/evm/wallet.ts";
import type { EvmDevnet } from "../../../server/devnet/evm/devnet.ts";
import type { NetworkReader, NetworkWallet } from "../../../server/chains/port.ts";
import { EVM_CAPS } from "../chains/evm-caps.ts";
import { violations, type ChainView } from "../checkers/checkers.ts";
import type { CrashPoints } from "./crash-points.ts";
import { runProcess, timePasses } from "./dying-process.ts";
import { randomAddress } from "./http-swap.ts";
import { createTestEngine, orderBody, type TestEngine } from "./test-engine.ts";

export const SENT_WEI = 5n * 10n ** 17n;
export const CONFIRMATIONS = 3;
/** More turns than a correct scenario needs: one that is not final by then is stuck. */
const MOST_BLOCKS = 40;
const RPC_TIMEOUT_MS = 5_000;

export type SwapParts = { devnet: EvmDevnet; xpub: string; mnemonic: string };
export type SwapNetwork = { reader: NetworkReader; wallet: NetworkWallet };

export function evmOver({ devnet, xpub, mnemonic }: SwapParts): SwapNetwork {
  const instruments = [
    { slug: "eth", contractAddress: null, decimals: 18 },
    { slug: "usdt-erc20", contractAddress: devnet.contracts["usdt-erc20"] ?? "", decimals: 6 },
  ];
  const { rpcUrl, chainId } = devnet;
  const options = { networkTitle: "ETH", rpcUrl, chainId, instruments, timeoutMs: RPC_TIMEOUT_MS };
  const wallet = createEvmWalletFrom(createEvmRpc(rpcUrl, options.timeoutMs), {
    networkTitle: options.networkTitle,
    chainId,
    instruments: readInstruments(instruments),
    account: accountOf(mnemonic),
    caps: EVM_CAPS,
  });
  return { reader: createEvmNetwork({ ...options, xpub }), wallet };
}

const accounts = new Map<string, PrivateKeyAccount>();

/** Derived once for all scenarios, which takes a sixth of one's time: an account holds nothing that a crash could lose. */
function accountOf(mnemonic: string): PrivateKeyAccount {
  const account = accounts.get(mnemonic) ?? hotAccount(mnemonic);
  accounts.set(mnemonic, account);
  return account;
}

/**
 * One swap of ETH to USDT over a real node and a real database, by a process that may die at any point and is restarted. What
 * the customer does (create, pay) is done once and outside: only the server dies.
 */
export class SwapScenario {
  destination = randomAddress();
  readonly #parts: SwapParts;
  readonly #database: Database;
  /** What the customer chose, and so where the one payment has to arrive. */
  #end: "payout" | "refund" = "payout";
  #refundAddress = randomAddress();
  #orderId = "";
  #depositAddress = "";
  #deposit = "";
  /** The chain as it was when the order had begun. */
  #begun = "";

  constructor(parts: SwapParts, database: Database) {
    this.#parts = parts;
    this.#database = database;
  }

  /** The order exists, and was not paid yet. */
  async begin(rateMode: "FLOATING" | "FIXED" = "FLOATING"): Promise<void> {
    const testEngine = await this.#engine(this.#database, null);
    await testEngine.settle();
    const refundAddress = rateMode === "FIXED" ? this.#refundAddress : null;
    const body = orderBody({ rateMode, destinationAddress: this.destination, refundAddress });
    const order = await testEngine.engine.orderService.create(body, { key: "scenario", traceId: "scenario" });
    this.#orderId = order.orderId;
    this.#depositAddress = order.depositAddress;
    await this.#keepChain();
  }

  /** The same order in a copy of its database, with the chain back where it had begun; the deposit is at least in the next block. */
  async continueIn(database: Database): Promise<SwapScenario> {
    await this.#rpc("evm_revert", [this.#begun], z.literal(true));
    // A snapshot serves once.
    await this.#keepChain();
    const copy = new SwapScenario(this.#parts, database);
    copy.destination = this.destination;
    copy.#refundAddress = this.#refundAddress;
    copy.#orderId = this.#orderId;
    copy.#end = this.#end;
    copy.#deposit = this.#deposit === "" ? await this.#pay() : this.#deposit;
    return copy;
  }

  /** The customer has seen the first block of the deposit and requested a refund, which has not begun. */
  async beginRefund(): Promise<void> {
    await this.begin("FIXED");
    this.#end = "refund";
    this.#deposit = await this.#pay();
    const testEngine = await this.#engine(this.#database, null);
    await this.#parts.devnet.mine(1);
    await testEngine.settle();
    const quoted = await testEngine.engine.orderService.refundInfo(this.#orderId);
    await testEngine.engine.orderService.requestRefund({
      orderId: this.#orderId,
      destinationAddress: this.destination,
      refundAddress: this.#refundAddress,
      refundAmount: quoted.refundAmountWithoutNetworkFee,
      claimedNetworkFee: quoted.networkFee,
    });
    await this.#keepChain();
  }

  /** Runs until the payment is final, or until the process dies; returns the name of the point where it died, else null. */
  live(points: CrashPoints): Promise<string | null> {
    return runProcess(this.#database, points, async (database) =>
      this.#untilFinal(await this.#engine(database, points)),
    );
  }

  /** The laws that this scenario broke. */
  async violations(): Promise<string[]> {
    const testEngine = await this.#engine(this.#database, null);
    const order = await testEngine.engine.orderService.info(this.#orderId, this.destination);
    const found = await violations(this.#database, this.#chain(), CONFIRMATIONS);
    const isRefund = this.#end === "refund";
    if (stepIndex(order.orderEvents) !== (isRefund ? 4 : 3)) found.push(`the order ended at ${order.status}`);
    const [paid, returned] = [await this.#balance(this.destination), await this.#coins(this.#refundAddress)];
    const sent = parseAmount(order.withdrawals[0]?.amount ?? "0", isRefund ? 18 : 6);
    if (paid !== (isRefund ? 0n : sent)) found.push(`the destination holds ${paid}`);
    if (returned !== (isRefund ? sent : 0n)) found.push(`the refund address holds ${returned}`);
    return found;
  }

  /** A payment that the server never decided, to see that the checkers notice it. */
  async payTwice(): Promise<void> {
    await this.#parts.devnet.pay({ to: this.destination, slug: "usdt-erc20", amount: 1n });
    await this.#parts.devnet.mine(1);
  }

  #pay(): Promise<string> {
    return this.#parts.devnet.pay({ to: this.#depositAddress, slug: "eth", amount: SENT_WEI });
  }

  async #keepChain(): Promise<void> {
    this.#begun = await this.#rpc("evm_snapshot", [], z.string());
  }

  async #engine(database: Database, points: CrashPoints | null): Promise<TestEngine> {
    const { reader, wallet } = evmOver(this.#parts);
    return createTestEngine({
      database,
      reader: points?.reader(reader) ?? reader,
      wallet: points?.wallet(wallet) ?? wallet,
      contractAddresses: new Map(Object.entries(this.#parts.devnet.contracts)),
      ...(points ? { probe: points.probe } : {}),
    });
  }

  async #untilFinal(testEngine: TestEngine): Promise<void> {
    for (let block = 0; block < MOST_BLOCKS; block += 1) {
      // A failed turn is due again later; here that is the next block.
      await timePasses(this.#database);
      await testEngine.settle();
      const payout = await this.#database.kysely.selectFrom("payouts").select("state").executeTakeFirst();
      if (payout?.state === "final") return;
      await this.#parts.devnet.mine(1);
    }
    throw new Error("the scenario did not end");
  }

  #chain(): ChainView {
    const { wallet } = evmOver(this.#parts);
    return {
      delivered: async () => {
        const sums = [await this.#balance(this.destination), await this.#coins(this.#refundAddress)];
        return sums.filter((sum) => sum > 0n);
      },
      isDeep: async (txId, confirmations) => {
        const found = await wallet.lookup(txId);
        const head = await evmOver(this.#parts).reader.head();
        return txId === this.#deposit && found.kind === "mined" && head.height - found.height + 1 >= confirmations;
      },
    };
  }

  #balance(address: string): Promise<bigint> {
    const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, "0")}`;
    return this.#ask("eth_call", [{ to: this.#parts.devnet.contracts["usdt-erc20"], data }, "latest"]);
  }

  #coins(address: string): Promise<bigint> {
    return this.#ask("eth_getBalance", [address, "latest"]);
  }

  async #ask(method: string, params: unknown[]): Promise<bigint> {
    return BigInt(await this.#rpc(method, params, z.string()));
  }

  #rpc<Result>(method: string, params: unknown[], result: z.ZodType<Result>): Promise<Result> {
    // Not repeated: a snapshot serves once.
    return createEvmRpc(this.#parts.devnet.rpcUrl, RPC_TIMEOUT_MS).call(method, params, result, { retryCount: 0 });
  }
}

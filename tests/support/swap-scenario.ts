import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { getAddress } from "viem";
import { parseAmount } from "#contract/money.ts";
import { stepIndex } from "#contract/order-progress.ts";
import { openDatabase, type Database } from "../../server/db/database.ts";
import { createLog } from "../../server/base/log.ts";
import type { PrivateKeyAccount } from "viem/accounts";
import { readInstruments } from "../../server/chains/evm/instruments.ts";
import { hotAccount } from "../../server/chains/evm/keys.ts";
import { createEvmNetwork } from "../../server/chains/evm/network.ts";
import { createEvmRpc } from "../../server/chains/evm/rpc.ts";
import { createEvmWalletFrom } from "../../server/chains/evm/wallet.ts";
import type { EvmDevnet } from "../../server/devnet/evm/devnet.ts";
import type { NetworkReader, NetworkWallet } from "../../server/chains/port.ts";
import { EVM_CAPS } from "./evm-caps.ts";
import { violations, type ChainView } from "./checkers.ts";
import type { CrashPoints } from "./crash-points.ts";
import { createTestEngine, orderBody, type TestEngine } from "./test-engine.ts";

export const SENT_WEI = 5n * 10n ** 17n;
export const CONFIRMATIONS = 3;
/** More turns than a correct scenario needs: one that is not final by then is stuck. */
const MOST_BLOCKS = 40;

export type SwapParts = { devnet: EvmDevnet; xpub: string; mnemonic: string };
export type SwapNetwork = { reader: NetworkReader; wallet: NetworkWallet };

export function evmOver({ devnet, xpub, mnemonic }: SwapParts): SwapNetwork {
  const instruments = [
    { slug: "eth", contractAddress: null, decimals: 18 },
    { slug: "usdt-erc20", contractAddress: devnet.contracts["usdt-erc20"] ?? "", decimals: 6 },
  ];
  const { rpcUrl, chainId } = devnet;
  const options = { networkTitle: "ETH", rpcUrl, chainId, instruments, timeoutMs: 5_000 };
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
  readonly destination = getAddress(`0x${randomBytes(20).toString("hex")}`);
  readonly #parts: SwapParts;
  readonly #url: string;
  /** What the customer chose, and so where the one payment has to arrive. */
  #end: "payout" | "refund" = "payout";
  readonly #refundAddress = getAddress(`0x${randomBytes(20).toString("hex")}`);
  #orderId = "";
  #deposit = "";
  #processes = 0;

  constructor(parts: SwapParts, databaseUrl: string) {
    this.#parts = parts;
    this.#url = databaseUrl;
  }

  /** The order exists and its deposit is in the next block. */
  async begin(rateMode: "FLOATING" | "FIXED" = "FLOATING"): Promise<void> {
    const { database, testEngine } = await this.#start(null);
    await testEngine.settle();
    const refundAddress = rateMode === "FIXED" ? this.#refundAddress : null;
    const body = orderBody({ rateMode, destinationAddress: this.destination, refundAddress });
    const order = await testEngine.engine.orderService.create(body, { key: "scenario", traceId: "scenario" });
    this.#orderId = order.orderId;
    this.#deposit = await this.#parts.devnet.pay({ to: order.depositAddress, slug: "eth", amount: SENT_WEI });
    await database.close();
  }

  /** The customer has seen the first block of the deposit and requested a refund, which has not begun. */
  async beginRefund(): Promise<void> {
    await this.begin("FIXED");
    this.#end = "refund";
    const { database, testEngine } = await this.#start(null);
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
    await database.close();
  }

  /** Runs until the payment is final, or until the process dies; returns the name of the point where it died, else null. */
  async live(points: CrashPoints): Promise<string | null> {
    const { database, testEngine } = await this.#start(points);
    await this.#timePasses(database);
    const name = await Promise.race([points.crashed, this.#untilFinal(database, testEngine).then(() => null)]);
    if (name === null) await database.close();
    else await this.#kill(database);
    return name;
  }

  /** The laws that this scenario broke. */
  async violations(): Promise<string[]> {
    const { database, testEngine } = await this.#start(null);
    const order = await testEngine.engine.orderService.info(this.#orderId, this.destination);
    const found = await violations(database, this.#chain(), CONFIRMATIONS);
    const isRefund = this.#end === "refund";
    if (stepIndex(order.orderEvents) !== (isRefund ? 4 : 3)) found.push(`the order ended at ${order.status}`);
    const [paid, returned] = [await this.#balance(this.destination), await this.#coins(this.#refundAddress)];
    const sent = parseAmount(order.withdrawals[0]?.amount ?? "0", isRefund ? 18 : 6);
    if (paid !== (isRefund ? 0n : sent)) found.push(`the destination holds ${paid}`);
    if (returned !== (isRefund ? sent : 0n)) found.push(`the refund address holds ${returned}`);
    await database.close();
    return found;
  }

  /** A payment that the server never decided, to see that the checkers notice it. */
  async payTwice(): Promise<void> {
    await this.#parts.devnet.pay({ to: this.destination, slug: "usdt-erc20", amount: 1n });
    await this.#parts.devnet.mine(1);
  }

  async #start(points: CrashPoints | null): Promise<{ database: Database; testEngine: TestEngine }> {
    this.#processes += 1;
    const log = createLog({ level: "silent" });
    const database = openDatabase(this.#url, { max: 4, log, applicationName: `scenario-${this.#processes}` });
    const { reader, wallet } = evmOver(this.#parts);
    const testEngine = await createTestEngine({
      database,
      reader: points?.reader(reader) ?? reader,
      wallet: points?.wallet(wallet) ?? wallet,
      contractAddresses: new Map(Object.entries(this.#parts.devnet.contracts)),
      ...(points ? { probe: points.probe } : {}),
    });
    return { database, testEngine };
  }

  async #untilFinal(database: Database, testEngine: TestEngine): Promise<void> {
    for (let block = 0; block < MOST_BLOCKS; block += 1) {
      // A failed turn is due again later; here that is the next block.
      await this.#timePasses(database);
      await testEngine.settle();
      const payout = await database.kysely.selectFrom("payouts").select("state").executeTakeFirst();
      if (payout?.state === "final") return;
      await this.#parts.devnet.mine(1);
    }
    throw new Error("the scenario did not end");
  }

  /** A dead process's connections are cut by the database, with what they had not committed. */
  async #kill(database: Database): Promise<void> {
    const log = createLog({ level: "silent" });
    const admin = openDatabase(this.#url, { max: 1, log, applicationName: "undertaker" });
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${`scenario-${this.#processes}`} and datname = current_database()`.execute(admin.kysely);
    await admin.close();
    database.pool.end().catch((error: unknown) => log.debug({ err: error }, "a dead process's pool"));
  }

  /** Lets the leases of the dead process run out before the next start. */
  async #timePasses(database: Database): Promise<void> {
    for (const table of ["orders", "payouts"] as const) {
      await database.kysely
        .updateTable(table)
        .set({ next_attempt_at: new Date(0) })
        .where("next_attempt_at", "is not", null)
        .execute();
    }
    await database.kysely.updateTable("payouts").set({ resend_at: null }).execute();
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
    const answer = await fetch(this.#parts.devnet.rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result }: { result: string } = await answer.json();
    return BigInt(result);
  }
}

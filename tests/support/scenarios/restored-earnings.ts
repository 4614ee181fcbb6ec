import { correctWithdrawal, runEarningsCommand } from "../../../server/earnings/index.ts";
import { loadCatalogue } from "../../../server/catalogue/index.ts";
import type { WithdrawalStatus } from "#contract/accounts/earnings.ts";
import { correctPayment } from "../../../server/orders/processing/correct-payment.ts";
import { runRecoveryCommand } from "../../../server/treasury/operator/recovery-commands.ts";
import { listUnknownPayments, type UnknownPayment } from "../../../server/treasury/payouts/unknown-payments.ts";
import { restoreSavedBackup, saveRows } from "../database/saved-rows.ts";
import { USDT_TRC20, withdrawer } from "./earnings-scenario.ts";
import { earningsSetup, type EarningsSetup } from "./earnings-setup.ts";
import type { TestEngine } from "./test-engine.ts";

/** Minor units of a USDT. */
export const UNIT = 1_000_000n;

/** An account with a wallet, whose database is put back to a backup after more was withdrawn. */
export class RestoredEarnings {
  readonly #given: EarningsSetup;
  #engine: TestEngine;

  private constructor(given: EarningsSetup) {
    this.#given = given;
    this.#engine = given.testEngine;
  }

  static async open(wallet: bigint): Promise<RestoredEarnings> {
    const given = await earningsSetup();
    given.scenario.rates.fees.set("eth", 10n ** 14n);
    await given.scenario.credit(given.ann, wallet);
    return new RestoredEarnings(given);
  }

  get database() {
    return this.#given.database;
  }

  get scenario() {
    return this.#given.scenario;
  }

  get earnings() {
    return this.#given.earnings;
  }

  get ann(): bigint {
    return this.#given.ann;
  }

  get engine(): TestEngine {
    return this.#engine;
  }

  /** What `pay` makes after the backup is all that the restored database lacks. */
  async lose(pay: () => Promise<unknown>): Promise<void> {
    const { scenario, database } = this.#given;
    await scenario.blocks(this.#engine, 3);
    const saved = await saveRows(database.url);
    await pay();
    await scenario.blocks(this.#engine, 8);
    await restoreSavedBackup(database, saved);
    this.#engine = await scenario.engine();
    await this.#engine.settle();
    await this.blocks(8);
  }

  blocks(count: number): Promise<void> {
    return this.scenario.blocks(this.#engine, count);
  }

  /** A booked transaction disappears from TRON for good, and its payment waits for an operator. */
  async evict(txId: string): Promise<void> {
    const { tron } = this.scenario;
    const at = tron.blocks.findIndex(({ transactions }) => transactions.some((one) => one.txId === txId));
    tron.reorg(tron.blocks.length - at, true);
    tron.evict(txId);
    await this.blocks(2);
    await this.database.pool.query(
      "update payouts set replace_at = 'epoch' where id = (select payout_id from unknown_payments where tx_id = $1)",
      [txId],
    );
    await this.blocks(2);
  }

  /** Asks for a withdrawal of whole USDT on TRON. */
  async ask(address: string, amount: string): Promise<WithdrawalStatus> {
    return (await this.earnings.withdraw(withdrawer(this.ann), { ...USDT_TRC20, address, amount })).status;
  }

  /** The month of all wallets has ended, and is paid out. */
  async payMonth(): Promise<void> {
    this.scenario.now = new Date("2026-12-01T00:05:00Z");
    await this.scenario.payEndedMonths();
  }

  /** Runs a command of the admin CLI on unknown payments, or on earnings. */
  async say(text: string): Promise<string> {
    const words = text.split(" ");
    const { database } = this.#given;
    const recovered = await runRecoveryCommand(
      database,
      this.#engine.catalogue,
      words,
      correctPayment,
      correctWithdrawal,
    );
    return recovered ?? (await runEarningsCommand({ database, catalogue: await loadCatalogue() }, words)) ?? "";
  }

  /** Takes a sum out of the wallet, as two operators do; `more` are further options. */
  async adjust(amount: string, more = ""): Promise<void> {
    const proposed = await this.say(`adjust ${this.ann} ${amount} paid after the backup --as ann${more}`);
    await this.say(`accrual approve ${/\d+/.exec(proposed)?.[0]} paid after the backup --as bob`);
  }

  /** The one that pays an address; without one the only one. */
  async unknown(address?: string): Promise<UnknownPayment> {
    const all = await listUnknownPayments(this.database);
    const found = all.filter(({ pays }) => address === undefined || pays?.[0]?.to === address.toLowerCase());
    const [one] = found;
    if (one === undefined || found.length > 1) throw new Error(`${found.length} payments are unknown`);
    return one;
  }

  received(address: string): bigint[] {
    return this.scenario.received(address);
  }

  wallet(): Promise<bigint> {
    return this.scenario.balanceOf(this.ann);
  }
}

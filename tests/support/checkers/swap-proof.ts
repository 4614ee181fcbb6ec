import { expect } from "vitest";
import { parseAmount } from "#contract/money.ts";
import type { Order } from "#contract/order.ts";
import { openDatabase } from "../../../server/db/database.ts";
import { createLog } from "../../../server/base/logging/log.ts";
import { violations } from "./checkers.ts";
import type { DevnetRpc } from "../chains/devnet-rpc.ts";
import type { ServerProcess } from "../processes/server-process.ts";

export const CONFIRMATIONS = 3;

/** Checks finished swaps by the chain, which no crash of the server can change, and all of them by the laws of money. */
export class SwapProof {
  readonly #server: Pick<ServerProcess, "databaseUrl">;
  readonly #devnet: DevnetRpc;
  readonly #paid: Order[] = [];

  constructor(server: Pick<ServerProcess, "databaseUrl">, devnet: DevnetRpc) {
    this.#server = server;
    this.#devnet = devnet;
  }

  /** The order is paid exactly, by one transfer, and no step of it happened twice. */
  async expectPaidOnce(order: Order): Promise<void> {
    const [withdrawal] = order.withdrawals;
    const amount = parseAmount(order.amountToGet, 6);
    expect(order.withdrawals).toEqual([{ ...withdrawal, amount: order.amountToGet, kind: "payout" }]);
    expect(await this.#devnet.tokenBalance(contractOf(order), order.destinationAddress)).toBe(amount);
    expect(await this.#transfers(order)).toEqual([{ amount, txId: withdrawal?.txId }]);
    expect(order.orderEvents.map((event) => event.kind).reverse()).toEqual([
      "CREATION_END",
      "DEPOSIT_REGISTERED",
      "INCOMING_FUNDS_DETECTED",
      "FUNDS_WITHDRAWAL_START",
      "WITHDRAWAL_COMPLETED",
    ]);
    expect(order.deposits).toHaveLength(1);
    this.#paid.push(order);
  }

  /** Every law that is broken anywhere in this server's rows; two orders of one idempotent call are one too. */
  async lawsBroken(): Promise<string[]> {
    const log = createLog({ level: "silent" });
    const database = openDatabase(await this.#server.databaseUrl(), { max: 1, log, applicationName: "checkers" });
    try {
      const chain = {
        delivered: async (orderId: string) => {
          const order = this.#paid.find((known) => known.orderId === orderId);
          return order === undefined ? [] : (await this.#transfers(order)).map(({ amount }) => amount);
        },
        isDeep: async (txId: string, confirmations: number) =>
          (await this.#devnet.confirmations(txId)) >= confirmations,
      };
      const { rows } = await database.pool.query<{ address: string; orders: number }>(
        `select snapshot #>> '{terms,destination,address}' as address, count(*)::int as orders
         from orders group by 1 having count(*) > 1`,
      );
      const doubled = rows.map(({ address, orders }) => `${orders} orders pay ${address}`);
      return [...(await violations(database, chain, CONFIRMATIONS)), ...doubled];
    } finally {
      await database.close();
    }
  }

  /** Hides a payment from the checkers, to see that they miss it; returns its order's id. */
  forgetOne(): string {
    const order = this.#paid.pop();
    if (order === undefined) throw new Error("nothing was paid");
    return order.orderId;
  }

  #transfers(order: Order): Promise<{ amount: bigint; txId: string }[]> {
    return this.#devnet.tokenTransfers(contractOf(order), order.destinationAddress);
  }
}

const contractOf = (order: Order): string => order.pair.instrumentTo.contractAddress ?? "";

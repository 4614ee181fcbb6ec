import useSWR from "swr";
import * as z from "zod/mini";
import { type OrderHistory, orderHistorySchema } from "#contract/accounts/order-history.ts";
import { type Seen, useSeen } from "../../../shared/account/last-seen.ts";
import { call } from "../../../shared/http/http.ts";
import { useSavedOrders } from "../store.ts";
import { filterOf, type HistoryQuery, PAGE_SIZE, writeHistoryQuery } from "./history-query.ts";

/** One part of the account's orders. */
export const useOrderHistory = (userId: number, query: HistoryQuery): Seen<OrderHistory> =>
  useSeen(
    userId,
    `orders ${writeHistoryQuery(query)}`,
    orderHistorySchema,
    () =>
      call("orderHistory", {
        query: { ...filterOf(query), offset: String((query.page - 1) * PAGE_SIZE), limit: String(PAGE_SIZE) },
      }),
    // Each letter typed would push a page out of what is stored.
    { isStored: query.search === "" },
  );

const totalSchema = z.int();

/** How many orders the account has. */
export const useOrderCount = (userId: number): Seen<number> =>
  useSeen(
    userId,
    "order count",
    totalSchema,
    async () => (await call("orderHistory", { query: { offset: "0", limit: "1" } })).total,
  );

export const historyCsv = (query: HistoryQuery): Promise<string> => call("orderHistoryCsv", { query: filterOf(query) });

type Key = { readonly orderId: string; readonly destinationAddress: string };

/** Orders that this device has seen and the account doesn't have. */
export function useClaimableOrders(userId: number): { orders: readonly Key[]; reload: () => Promise<void> } {
  const saved = useSavedOrders().orders ?? [];
  const ids = saved.map(({ order }) => order.orderId);
  const { data, mutate } = useSWR<readonly string[], Error>(
    ids.length === 0 ? null : ["claimable orders", userId, ids.join(",")],
    async () => {
      const { items } = await call("orderHistory", { query: { orderIds: ids.join(","), limit: "100" } });
      return items.map(({ orderId }) => orderId);
    },
  );
  const orders = data === undefined ? [] : saved.filter(({ order }) => !data.includes(order.orderId));
  return {
    orders: orders.map(({ order, destinationAddress }) => ({ orderId: order.orderId, destinationAddress })),
    reload: async () => void (await mutate()),
  };
}

export const claimOrders = async (orders: readonly Key[]): Promise<number> =>
  (await call("claimOrders", { body: { orders: [...orders] } })).claimed.length;

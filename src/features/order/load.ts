import type { Order } from "#contract/order.ts";
import { CallError, isUnreachable } from "../../shared/http/call-error.ts";
import type { Loaded, LoadInput } from "../../shared/page/page-context.ts";
import type { SavedOrder } from "./store.ts";

/** What the order page is given: the order, a saved copy of it, or why there is none. */
export type OrderPageData = {
  orderId: string;
  destinationAddress: string;
} & (
  | { kind: "found"; order: Order; savedAt: string | null }
  | { kind: "lookup"; reason: "missing" | "mismatch" }
  | { kind: "unreachable" }
  | { kind: "pending" }
);

/** The id of an order that is not created yet (spec §2). */
const PENDING = "pending";

/**
 * Loads `/order/{id}?destinationAddress=…`. Without the address, or with one that doesn't match, it is the look-up page
 * with status 404 (contract §3); without the network it is what this device saved. Other failures are thrown.
 */
export async function loadOrder({ params, query, api }: LoadInput): Promise<Loaded<OrderPageData>> {
  const orderId = params["id"] ?? "";
  const destinationAddress = (query.get("destinationAddress") ?? "").trim();
  const asked = { orderId, destinationAddress };
  if (orderId === PENDING) return { kind: "page", data: { ...asked, kind: "pending" } };
  if (destinationAddress === "") return lookup(asked, "missing");
  try {
    const order = await api.call("orderInfo", { query: asked });
    return { kind: "page", data: { ...asked, kind: "found", order, savedAt: null } };
  } catch (error) {
    if (isAddressIncorrect(error)) return lookup(asked, "mismatch");
    if (!isUnreachable(error)) throw error;
    return { kind: "page", data: withSaved(asked, await findSaved(asked)) };
  }
}

type Asked = { orderId: string; destinationAddress: string };

/** The service knows no such pair of id and address: polling ends, the look-up page is shown (spec §8). */
export const isAddressIncorrect = (error: unknown): boolean =>
  error instanceof CallError && (error.code === "ERR_NOT_FOUND_E" || error.code === "ERR_VALIDATION");

const lookup = (asked: Asked, reason: "missing" | "mismatch"): Loaded<OrderPageData> => ({
  kind: "page",
  status: 404,
  data: { ...asked, kind: "lookup", reason },
});

const withSaved = (asked: Asked, saved: SavedOrder | null): OrderPageData =>
  saved === null
    ? { ...asked, kind: "unreachable" }
    : { ...asked, kind: "found", order: saved.order, savedAt: saved.seenAt };

async function findSaved({ orderId, destinationAddress }: Asked): Promise<SavedOrder | null> {
  const { savedOrders } = await import("./store.ts");
  return savedOrders.find(orderId, destinationAddress);
}

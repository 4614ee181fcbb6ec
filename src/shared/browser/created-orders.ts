import { persisted } from "./storage.ts";

type CreatedOrder = readonly [orderId: string, form: string];

const MAX = 20;

/** The forms that orders were created with on this device, newest first: the service doesn't know which amount was typed. */
const created = persisted<readonly CreatedOrder[]>("created-orders:v1", read, (orders) => JSON.stringify(orders));

/** Keeps the calculator's path of an order that was just created. */
export function rememberForm(orderId: string, form: string): void {
  const others = created.value.filter(([other]) => other !== orderId);
  created.value = [[orderId, form] as const, ...others].slice(0, MAX);
}

/** The calculator's path that an order was created with here; null where it was created elsewhere. */
export const formOf = (orderId: string): string | null =>
  created.value.find(([created]) => created === orderId)?.[1] ?? null;

function read(saved: string | null): CreatedOrder[] {
  if (saved === null) return [];
  try {
    const orders: unknown = JSON.parse(saved);
    return Array.isArray(orders) ? orders.filter(isCreatedOrder) : [];
  } catch (error) {
    console.debug("the forms of orders can't be read", error);
    return [];
  }
}

const isCreatedOrder = (order: unknown): order is CreatedOrder =>
  Array.isArray(order) &&
  typeof order[0] === "string" &&
  typeof order[1] === "string" &&
  order[1].startsWith("/exchange-");

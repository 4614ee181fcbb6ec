import { useSnapshot } from "valtio";
import { persisted } from "../../../shared/browser/storage.ts";
import { useHydrated } from "../../../shared/page/use-hydrated.ts";

const MAX = 20;

/** Sales whose card was named from this device, newest first: the provider tells nobody until the coins arrive. */
const named = persisted<readonly string[]>("named-cards:v1", read, (orderIds) => JSON.stringify(orderIds));

/** The customer went to name the card of a sale, or says that it is named. */
export function rememberNamedCard(orderId: string): void {
  named.value = [orderId, ...named.value.filter((other) => other !== orderId)].slice(0, MAX);
}

/** Whether the card of a sale was named from this device; false until the page is alive, as the server doesn't know. */
export function useIsCardNamed(orderId: string): boolean {
  const { value } = useSnapshot(named);
  return useHydrated() && value.includes(orderId);
}

function read(saved: string | null): string[] {
  if (saved === null) return [];
  try {
    const orderIds: unknown = JSON.parse(saved);
    return Array.isArray(orderIds) ? orderIds.filter((orderId) => typeof orderId === "string") : [];
  } catch (error) {
    console.debug("the named cards of orders can't be read", error);
    return [];
  }
}

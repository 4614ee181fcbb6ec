import { useSyncExternalStore } from "react";

/** spec §6 */
export type UserType = "guest" | "registered";

/** What becomes of an order after it was created. */
export type OrderStep =
  | "deposit seen"
  | "choice needed"
  | "new rate accepted"
  | "refund requested"
  | "exchange completed"
  | "refund completed"
  | "email set";

type OrderEvent = {
  readonly event: OrderStep | "exchange initiated";
  readonly from: string;
  readonly to: string;
  readonly rateMode: "FIXED" | "FLOATING";
};

/** The steps of the funnel; what they carry names pairs and modes, never a person, an address or an order. */
export type FunnelEvent =
  | OrderEvent
  | { readonly event: "page viewed"; readonly page: string; readonly locale: string }
  | { readonly event: "destination step opened"; readonly locale: string };

type Entry = FunnelEvent & { readonly userType: UserType; readonly sessionId: string };
type Adapter = (entry: FunnelEvent) => void;

let adapter: Adapter | null = null;
const listeners = new Set<() => void>();

function setAdapter(to: Adapter | null): void {
  adapter = to;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether steps are recorded; they are switched on after the first render, if at all. */
export const useIsTracking = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => adapter !== null,
    () => false,
  );

/** Pushes one step to `dataLayer`; does nothing unless analytics are switched on. */
export const track = (step: FunnelEvent): void => adapter?.(step);

/** Switches analytics on: steps go to `globalThis.dataLayer`, from where a tag manager takes them. Gives what switches them off. */
export function startAnalytics(sessionId: string, userType: () => UserType): () => void {
  setAdapter((step) => {
    const holder = globalThis as { dataLayer?: Entry[] };
    holder.dataLayer ??= [];
    holder.dataLayer.push({ ...step, userType: userType(), sessionId });
  });
  return () => setAdapter(null);
}

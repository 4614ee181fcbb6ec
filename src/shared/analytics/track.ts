import { proxy, useSnapshot } from "valtio";

/** spec §6 */
type UserType = "guest" | "registered";

/** The events of an order after its creation. */
export type OrderTrackingEvent =
  | "deposit seen"
  | "choice needed"
  | "new rate accepted"
  | "refund requested"
  | "exchange completed"
  | "refund completed"
  | "email set";

type OrderEvent = {
  readonly event: OrderTrackingEvent | "exchange initiated";
  readonly from: string;
  readonly to: string;
  readonly rateMode: "FIXED" | "FLOATING";
};

/** The events of the funnel; they name pairs and rate modes, never a person, an address or an order. */
type FunnelEvent =
  | OrderEvent
  | { readonly event: "page viewed"; readonly page: string; readonly locale: string }
  | { readonly event: "destination step opened"; readonly locale: string };

type Entry = FunnelEvent & { readonly userType: UserType; readonly sessionId: string };
type Adapter = (entry: FunnelEvent) => void;

const analytics = proxy<{ adapter: Adapter | null }>({ adapter: null });

/** Whether events are recorded; analytics are switched on after the first render, if at all. */
export const useIsTracking = (): boolean => useSnapshot(analytics).adapter !== null;

/** Pushes one event to `dataLayer`; does nothing unless analytics are switched on. */
export const track = (event: FunnelEvent): void => analytics.adapter?.(event);

/** Switches analytics on: events go to `globalThis.dataLayer` for a tag manager. Returns the function that switches them off. */
export function startAnalytics(sessionId: string, userType: () => UserType): () => void {
  analytics.adapter = (event) => {
    const holder = globalThis as { dataLayer?: Entry[] };
    holder.dataLayer ??= [];
    holder.dataLayer.push({ ...event, userType: userType(), sessionId });
  };
  return () => {
    analytics.adapter = null;
  };
}

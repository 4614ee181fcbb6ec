/** spec §6 */
export type UserType = "guest" | "registered";

/** The steps of the funnel; what they carry names pairs and modes, never a person, an address or an order. */
export type FunnelEvent =
  | { readonly event: "page viewed"; readonly page: string; readonly locale: string }
  | { readonly event: "destination step opened"; readonly locale: string }
  | {
      readonly event: "exchange initiated";
      readonly from: string;
      readonly to: string;
      readonly rateMode: "FIXED" | "FLOATING";
    };

type Entry = FunnelEvent & { readonly userType: UserType; readonly sessionId: string };
type Adapter = (entry: FunnelEvent) => void;

let adapter: Adapter | null = null;

/** Pushes one step to `dataLayer`; does nothing unless analytics are switched on. */
export const track = (step: FunnelEvent): void => adapter?.(step);

/** Switches analytics on: steps go to `globalThis.dataLayer`, from where a tag manager takes them. Gives what switches them off. */
export function startAnalytics(sessionId: string, userType: () => UserType): () => void {
  adapter = (step) => {
    const holder = globalThis as { dataLayer?: Entry[] };
    holder.dataLayer ??= [];
    holder.dataLayer.push({ ...step, userType: userType(), sessionId });
  };
  return () => {
    adapter = null;
  };
}

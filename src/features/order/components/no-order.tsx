import type { OrderPageData } from "../load.ts";
import { Lookup } from "./lookup.tsx";
import { Pending } from "./pending.tsx";
import { Unreachable } from "./unreachable.tsx";

export type NoOrderProps = { readonly asked: Pick<OrderPageData, "orderId" | "destinationAddress"> } & (
  | { readonly why: "lookup" | "pending" }
  | { readonly why: "unreachable"; readonly onRetry: () => Promise<void> }
);

/** What stands at an order's address where there is none to show. */
export function NoOrder(props: NoOrderProps) {
  switch (props.why) {
    case "lookup":
      return <Lookup orderId={props.asked.orderId} destinationAddress={props.asked.destinationAddress} />;
    case "pending":
      return <Pending />;
    case "unreachable":
      return <Unreachable onRetry={props.onRetry} />;
  }
}

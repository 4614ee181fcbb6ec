import type { CreateOrderBody } from "#contract/order.ts";
import { readAmount, type Catalogue } from "../catalogue/index.ts";
import type { Handlers } from "../http/call-routes.ts";
import type { Desk } from "./port.ts";

type OrderCall =
  | "latestOrders"
  | "orderInfo"
  | "refundInfo"
  | "createOrder"
  | "setEmail"
  | "requestRefund"
  | "acceptRateModeChange"
  | "stats";

/** The calls about orders; everything that they mean is the desk's. */
export function orderHandlers({ desk, catalogue }: { desk: Desk; catalogue: Catalogue }): Pick<Handlers, OrderCall> {
  return {
    latestOrders: () => desk.latest(),
    orderInfo: ({ query }) => desk.info(query.orderId, query.destinationAddress),
    refundInfo: ({ query }) => desk.refundInfo(query.orderId),
    createOrder: ({ body, caller }) => {
      refuseUnreadableAmount(catalogue, body);
      const { signedIn, ...client } = caller;
      return desk.create(body, { ...client, ...(signedIn && { userId: signedIn.userId }) });
    },
    setEmail: ({ body }) => desk.setEmail(body.orderId, body.userEmail),
    requestRefund: ({ body }) => desk.requestRefund(body),
    acceptRateModeChange: ({ body }) => desk.acceptRateModeChange(body),
    stats: () => desk.stats(),
  };
}

/** What can't be counted in the sending instrument never gets as far as the desk. */
function refuseUnreadableAmount(catalogue: Catalogue, body: CreateOrderBody): void {
  const from = catalogue.instruments.get(body.instrumentFrom.slug);
  if (from) readAmount(from, body.claimedDepositAmount, "claimedDepositAmount");
}

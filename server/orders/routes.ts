import { CodedError } from "#contract/errors.ts";
import type { CreateOrderBody } from "#contract/order.ts";
import { readAmount, type Catalogue } from "../catalogue/index.ts";
import type { Handlers } from "../base/routes.ts";
import type { OrderService } from "./port.ts";

type OrderCall =
  | "latestOrders"
  | "orderInfo"
  | "orderState"
  | "refundInfo"
  | "createOrder"
  | "setEmail"
  | "requestRefund"
  | "stopRefund"
  | "acceptRateModeChange"
  | "claimOrders"
  | "orderHistory"
  | "orderHistoryCsv"
  | "pairActivity"
  | "askedPairs"
  | "stats";

/** The calls about orders; their rules are in the order service. */
export function orderHandlers({
  orderService,
  catalogue,
}: {
  orderService: OrderService;
  catalogue: Catalogue;
}): Pick<Handlers, OrderCall> {
  return {
    latestOrders: () => orderService.latest(),
    orderInfo: ({ query }) => orderService.info(query.orderId, query.destinationAddress),
    orderState: async ({ query: { orderId } }) => ({ orderId, state: await orderService.state(orderId) }),
    refundInfo: ({ query }) => orderService.refundInfo(query.orderId, query.destinationAddress),
    createOrder: ({ body, caller }) => {
      refuseUnreadableAmount(catalogue, body);
      const { signedIn, ...client } = caller;
      if (isByCard(catalogue, body)) {
        if (signedIn === null) throw new CodedError("ERR_UNAUTHORIZED", "Sign in first");
        return orderService.createByCard(body, { ...client, userId: signedIn.userId, email: signedIn.email });
      }
      if (signedIn === null) return orderService.create(body, client);
      // An account's orders carry its email, whatever was typed (spec §4).
      const userEmail = signedIn.email ?? body.userEmail;
      return orderService.create({ ...body, userEmail }, { ...client, userId: signedIn.userId });
    },
    claimOrders: async ({ body, caller: { signedIn, ...client } }) => ({
      claimed: await orderService.claim(signedIn, body.orders, client),
    }),
    orderHistory: ({ query, caller: { signedIn } }) => orderService.history(signedIn.userId, query),
    orderHistoryCsv: ({ query, caller: { signedIn } }) => orderService.historyCsv(signedIn.userId, query),
    setEmail: ({ body }) => orderService.setEmail(body.orderId, body.userEmail, body.destinationAddress ?? undefined),
    requestRefund: ({ body }) => orderService.requestRefund(body),
    stopRefund: ({ body }) => orderService.stopRefund(body.orderId, body.token),
    acceptRateModeChange: ({ body }) => orderService.acceptRateModeChange(body),
    stats: () => orderService.stats(),
    pairActivity: ({ query: { instrumentFromSlug: from, instrumentToSlug: to } }) => {
      if (!catalogue.isPairActive(from, to)) throw new CodedError("ERR_NOT_FOUND", "This pair can't be exchanged");
      return orderService.pairActivity({ from, to });
    },
    askedPairs: () => orderService.askedPairs(),
  };
}

/** One of the two is no coin. */
const isByCard = ({ instruments }: Catalogue, { instrumentFrom, instrumentTo }: CreateOrderBody): boolean =>
  [instrumentFrom, instrumentTo].some(({ slug }) => instruments.get(slug)?.instrumentType === "fiat");

/** An amount that is none of the sending instrument never reaches the order service. */
function refuseUnreadableAmount(catalogue: Catalogue, body: CreateOrderBody): void {
  const from = catalogue.instruments.get(body.instrumentFrom.slug);
  if (from) readAmount(from, body.claimedDepositAmount, "claimedDepositAmount");
}

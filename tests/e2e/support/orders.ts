import type { Order } from "#contract/order.ts";
import { sandboxPayAnswerSchema } from "#contract/sandbox.ts";
import type { Api } from "../../support/api.ts";
import { applicationFor, orderAfter } from "../../support/http-swap.ts";

/** An order for half an ETH that nobody has paid, made past the browser. */
export const newOrder = async (api: Api): Promise<Order> => api.call("createOrder", await applicationFor(api));

export const orderPath = ({ orderId, destinationAddress }: Order): string =>
  `/order/${orderId}?${new URLSearchParams({ destinationAddress })}`;

/** A fixed order whose rate has ended because its deposit is less than was agreed: the market is shared and stays untouched. */
export async function orderWithEndedRate(api: Api): Promise<Order> {
  const order = await api.call("createOrder", await applicationFor(api, { rateMode: "FIXED" }));
  await api.sandbox("pay", { orderId: order.orderId, amount: "0.4" }, sandboxPayAnswerSchema);
  return orderAfter(api, order, "RATE_MODE_CHANGED");
}

/** An order whose deposit is below the minimum, so that it can only be refunded. */
export async function orderBelowMinimum(api: Api): Promise<Order> {
  const order = await api.call("createOrder", await applicationFor(api));
  await api.sandbox("pay", { orderId: order.orderId, amount: "0.001" }, sandboxPayAnswerSchema);
  await orderAfter(api, order, "INCOMING_FUNDS_DETECTED");
  return order;
}

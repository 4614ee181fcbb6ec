import type { Order } from "#contract/order.ts";
import type { Api } from "../../support/api.ts";
import { applicationFor } from "../../support/http-swap.ts";

/** An order for half an ETH that nobody has paid, made past the browser. */
export const newOrder = async (api: Api): Promise<Order> => api.call("createOrder", await applicationFor(api));

export const orderPath = ({ orderId, destinationAddress }: Order): string =>
  `/order/${orderId}?${new URLSearchParams({ destinationAddress })}`;

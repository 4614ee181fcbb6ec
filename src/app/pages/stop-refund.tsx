import { stopRefundHead } from "../../features/order/head.ts";
import { StopRefundPage } from "../../features/order/refund/stop-refund-page.tsx";
import { definePage } from "../router/define-page.ts";

/** The order and the token are in the fragment, which the server never sees. */
export const page = definePage<null>({
  Page: StopRefundPage,
  load: async () => ({ kind: "page", data: null }),
  head: stopRefundHead,
});

import { useOnline } from "../../shared/browser/connectivity.ts";
import { loadMessages } from "../../shared/i18n/messages.ts";
import { optional } from "../../shared/page/optional.tsx";
import { useHydrated } from "../../shared/page/use-hydrated.ts";
import { isTelegram } from "../../telegram/is-telegram.ts";

const SavedOrderLink = optional("the saved order", async () => (await import("./saved-order-link.tsx")).SavedOrderLink);

const OpenOrders = optional("the open orders", async (i18n) => {
  const [{ OpenOrders: Part }] = await Promise.all([
    import("../../features/order/list/open-orders.tsx"),
    loadMessages(i18n, ["order"]),
  ]);
  return Part;
});

/** Below the calculator: in Telegram this device's open orders; elsewhere, offline, a link to the newest of them. */
export function SavedOrder({ withOpenOrders = true }: { readonly withOpenOrders?: boolean }) {
  const isOnline = useOnline();
  const isMiniApp = useHydrated() && isTelegram();
  if (isMiniApp) return withOpenOrders ? <OpenOrders /> : null;
  return isOnline ? null : <SavedOrderLink />;
}

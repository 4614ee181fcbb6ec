import { useTranslation } from "react-i18next";
import type { OrderPageData } from "../load.ts";
import { BoatIllustration, BottomBar, Button, PrimaryAction } from "../../../shared/ui/index.ts";
import { SavedOrderList } from "./saved-order-list.tsx";
import { LookupForm } from "./lookup-form.tsx";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import useSWR from "swr";
import type { PartnerOrderState } from "#contract/partner-api.ts";
import { readOrderState } from "../api.ts";
import { lookupErrors } from "../model/lookup-form.ts";
import "./lookup.css";

export type NoOrderProps = { readonly asked: Pick<OrderPageData, "orderId" | "destinationAddress"> } & (
  | { readonly why: "lookup" | "pending" }
  | { readonly why: "unreachable"; readonly onRetry: () => Promise<unknown> }
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

type LookupProps = { readonly orderId: string; readonly destinationAddress: string };

/**
 * Asked for with an id and an address that don't open an order: says so, and lets the customer correct both. By the id alone it says what
 * anyone may know: that there is such an order, which then is not "not found", and how far it is (contract §13).
 */
export function Lookup({ orderId, destinationAddress }: LookupProps) {
  const { t } = useTranslation("order");
  const state = usePublicState(destinationAddress === "" ? orderId : "");
  return (
    <div className="w-order-lookup w-page">
      <BoatIllustration />
      {state === null ? <p className="w-order-lookup__code">{t("lookup.code")}</p> : null}
      <h1 className="w-order-lookup__title">{t(state === null ? "lookup.title" : "lookup.knownTitle")}</h1>
      <p className="w-order-lookup__text">{t(state === null ? "lookup.text" : "lookup.knownText")}</p>
      <p className="w-order-lookup__text" role="status">
        {state === null ? null : <strong>{t(`lookup.state.${state}`)}</strong>}
      </p>
      <LookupForm orderId={orderId} destinationAddress={destinationAddress} isMain />
      <SavedOrderList />
    </div>
  );
}

/** `/order/pending` (spec §2): an order that is not created yet. */
export function Pending() {
  const { t } = useTranslation("order");
  return (
    <div className="w-order-lookup w-page">
      <BoatIllustration />
      <h1 className="w-order-lookup__title">{t("pending.title")}</h1>
      <p className="w-order-lookup__text">{t("pending.text")}</p>
      <SavedOrderList />
      <BottomBar>
        <PrimaryAction stretched href="/">
          {t("pending.go")}
        </PrimaryAction>
      </BottomBar>
    </div>
  );
}

/** Neither the service nor this device has the order now. */
function Unreachable({ onRetry }: { readonly onRetry: () => Promise<unknown> }) {
  const { t } = useTranslation("order");
  const isOnline = useOnline();
  return (
    <div className="w-order-lookup w-page">
      <BoatIllustration />
      <h1 className="w-order-lookup__title">{t("unreachable.title")}</h1>
      <p className="w-order-lookup__text">{t(isOnline ? "unreachable.failed" : "unreachable.offline")}</p>
      <Button variant="soft" stretched disabled={!isOnline} onClick={() => void onRetry()}>
        {t(isOnline ? "unreachable.retry" : "stale.waiting")}
      </Button>
      <SavedOrderList />
    </div>
  );
}

const REFRESH_MS = 10_000;

/** How far an order is, by its id alone; null while that isn't known, and for an id that no order can have. */
function usePublicState(orderId: string): PartnerOrderState | null {
  const key = lookupErrors(orderId, "").orderId === null ? ["order state", orderId] : null;
  const { data } = useSWR(key, () => readOrderState(orderId), {
    refreshInterval: REFRESH_MS,
    shouldRetryOnError: false,
  });
  return data?.state ?? null;
}

import { useTranslation } from "react-i18next";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { BoatIllustration, Button } from "../../../shared/ui/index.ts";
import { SavedOrderList } from "./kept-list.tsx";
import "./lookup.css";

/** Neither the service nor this device has the order now. */
export function Unreachable({ onRetry }: { readonly onRetry: () => Promise<void> }) {
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

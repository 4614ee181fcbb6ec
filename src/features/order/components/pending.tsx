import { useTranslation } from "react-i18next";
import { BoatIllustration, BottomBar, Button } from "../../../shared/ui/index.ts";
import { SavedOrderList } from "./kept-list.tsx";
import "./lookup.css";

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
        <Button stretched href="/">
          {t("pending.go")}
        </Button>
      </BottomBar>
    </div>
  );
}

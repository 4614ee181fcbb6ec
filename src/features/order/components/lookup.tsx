import { useTranslation } from "react-i18next";
import { BoatIllustration } from "../../../shared/ui/index.ts";
import { SavedOrderList } from "./kept-list.tsx";
import { LookupForm } from "./lookup-form.tsx";
import "./lookup.css";

type LookupProps = { readonly orderId: string; readonly destinationAddress: string };

/** Asked for with an id and an address that don't open an order: says so, and lets both be mended. */
export function Lookup({ orderId, destinationAddress }: LookupProps) {
  const { t } = useTranslation("order");
  return (
    <div className="w-order-lookup w-page">
      <BoatIllustration />
      <p className="w-order-lookup__code">{t("lookup.code")}</p>
      <h1 className="w-order-lookup__title">{t("lookup.title")}</h1>
      <p className="w-order-lookup__text">{t("lookup.text")}</p>
      <LookupForm orderId={orderId} destinationAddress={destinationAddress} isMain />
      <SavedOrderList />
    </div>
  );
}

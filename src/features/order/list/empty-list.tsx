import { useTranslation } from "react-i18next";
import { BoatIllustration, Button, Skeleton } from "../../../shared/ui/index.ts";

/** A device that has seen no order yet. */
export function EmptyList() {
  const { t } = useTranslation("order");
  return (
    <div className="w-orders__empty w-order-card">
      <BoatIllustration />
      <h2 className="w-orders__subtitle">{t("list.emptyTitle")}</h2>
      <p className="w-orders__text">{t("list.emptyText")}</p>
      <Button variant="soft" href="/">
        {t("list.go")}
      </Button>
    </div>
  );
}

const ROWS = [0, 1, 2];

/** In place of the rows until the device has told of them; seen only when that takes long. */
export const GreyRows = () => (
  <div className="w-orders__grey w-order-card" aria-busy="true">
    {ROWS.map((row) => (
      <Skeleton key={row} width="100%" height={44} />
    ))}
  </div>
);

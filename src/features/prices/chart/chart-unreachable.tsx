import { useTranslation } from "react-i18next";
import { Button, Note } from "../../../shared/ui/index.ts";
import { ChartSpace } from "./chart-space.tsx";

/** In the place of a chart whose prices can't be had now. */
export function ChartUnreachable({ onRetry }: { readonly onRetry: () => void }) {
  const { t } = useTranslation("prices");
  return (
    <ChartSpace>
      <Note
        tone="info"
        title={t("chart.unreachable")}
        action={
          <Button variant="soft" onClick={onRetry}>
            {t("chart.retry")}
          </Button>
        }
      />
    </ChartSpace>
  );
}

import { useTranslation } from "react-i18next";
import { useIsSandbox } from "../../shared/page/page-context.ts";
import { Note } from "../../shared/ui/index.ts";

/** In the sandbox no price is real, and nobody may take one for real (contract §12). */
export function MadeUp() {
  const { t } = useTranslation("prices");
  return useIsSandbox() ? <Note tone="info" title={t("madeUp")} /> : null;
}

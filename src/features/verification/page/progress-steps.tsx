import { useTranslation } from "react-i18next";
import { Steps } from "../../../shared/ui/index.ts";

const PARTS = ["details", "check", "confirmed"] as const;

/** The verification progress indicator (spec §4): `done` of its three parts are over. */
export function ProgressSteps({ done }: { readonly done: 0 | 1 | 3 }) {
  const { t } = useTranslation("verification");
  const steps = PARTS.map((part, at) => ({
    label: t(`progress.${part}`),
    state: at < done ? ("done" as const) : at === done ? ("now" as const) : ("next" as const),
  }));
  return <Steps label={t("progress.label")} steps={steps} />;
}

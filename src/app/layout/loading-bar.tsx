import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type BarPhase, DURATION_MS, nextBarPhase } from "./bar-phase.ts";
import "./loading-bar.css";

export function LoadingBar({ isLoading }: { readonly isLoading: boolean }) {
  const { t } = useTranslation("common");
  const phase = useBarPhase(isLoading);
  return (
    <>
      <div
        className={`w-loading-bar w-loading-bar--${phase}`}
        style={phase === "running" ? { animationDuration: `${DURATION_MS}ms` } : undefined}
        aria-hidden="true"
      />
      <output className="w-visually-hidden">{phase === "running" ? t("loading") : ""}</output>
    </>
  );
}

function useBarPhase(isLoading: boolean): BarPhase {
  const [phase, setPhase] = useState<BarPhase>("idle");
  useEffect(() => {
    const step = nextBarPhase(phase, isLoading);
    if (step === null) return undefined;
    const timer = setTimeout(() => setPhase(step.to), step.afterMs);
    return () => clearTimeout(timer);
  }, [phase, isLoading]);
  return phase;
}

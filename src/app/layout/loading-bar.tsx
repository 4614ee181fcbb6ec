import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import "./loading-bar.css";

/** spec §9 */
const THROTTLE_MS = 200;
const DURATION_MS = 2_000;
const HIDE_DELAY_MS = 500;
const RESET_MS = 400;

type BarPhase = "idle" | "running" | "full" | "hiding";

type BarStep = { readonly to: BarPhase; readonly afterMs: number };

/**
 * The bar's next phase and the delay before it; null while nothing changes. A load under 200 ms shows nothing; then the bar runs
 * (2000 ms), fills, stays 500 ms, and is reset after 400 ms more.
 * @internal
 */
export function nextBarPhase(phase: BarPhase, isLoading: boolean): BarStep | null {
  if (isLoading) return phase === "running" ? null : { to: "running", afterMs: THROTTLE_MS };
  if (phase === "running") return { to: "full", afterMs: 0 };
  if (phase === "full") return { to: "hiding", afterMs: HIDE_DELAY_MS };
  return phase === "hiding" ? { to: "idle", afterMs: RESET_MS } : null;
}

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

import { useEffect, useState } from "react";
import { useT } from "../../lib/i18n/index.ts";
import "./loading-bar.css";

/** spec §9 */
const THROTTLE_MS = 200;
const HIDE_DELAY_MS = 500;
const RESET_MS = 400;

export type BarPhase = "idle" | "running" | "full" | "hiding";

/** Nothing for a load under 200 ms; then it runs (2000 ms), fills, stays 500 ms, and is reset after 400 ms more. */
export function useBarPhase(isLoading: boolean): BarPhase {
  const [phase, setPhase] = useState<BarPhase>("idle");
  useEffect(() => {
    const step = nextStep(phase, isLoading);
    if (step === null) return undefined;
    const timer = setTimeout(() => setPhase(step.to), step.afterMs);
    return () => clearTimeout(timer);
  }, [phase, isLoading]);
  return phase;
}

function nextStep(phase: BarPhase, isLoading: boolean): { to: BarPhase; afterMs: number } | null {
  if (isLoading) return phase === "running" ? null : { to: "running", afterMs: THROTTLE_MS };
  if (phase === "running") return { to: "full", afterMs: 0 };
  if (phase === "full") return { to: "hiding", afterMs: HIDE_DELAY_MS };
  return phase === "hiding" ? { to: "idle", afterMs: RESET_MS } : null;
}

export function LoadingBar({ isLoading }: { readonly isLoading: boolean }) {
  const t = useT("common");
  const phase = useBarPhase(isLoading);
  return (
    <>
      <div className={`w-loading-bar w-loading-bar--${phase}`} aria-hidden="true" />
      <output className="w-visually-hidden">{phase === "running" ? t("loading") : ""}</output>
    </>
  );
}

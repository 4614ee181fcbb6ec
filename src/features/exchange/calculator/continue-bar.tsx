import { useLocation } from "wouter";
import { useTranslation } from "react-i18next";
import { BottomBar, Button } from "../../../shared/ui/index.ts";
import { blockersOf, type Blocker } from "../model/blockers.ts";
import { settingsOf } from "../store/selectors.ts";
import { useExchangeState } from "../store/provider.tsx";
import { exchangePath, homePath } from "../model/calculator-url.ts";
import { useBlockers } from "./use-sides.ts";

/** What stops the order and has no words of its own elsewhere. */
const SAID_ON_IT: Partial<Record<Blocker["kind"], "calculator.waitingForNetwork" | "calculator.enterAmount">> = {
  offline: "calculator.waitingForNetwork",
  "amount-empty": "calculator.enterAmount",
};

/** To the destination step; the page left behind keeps what was typed in its address, for Back. */
export function ContinueBar({ place }: { readonly place: "home" | "exchange" }) {
  const { t } = useTranslation("exchange");
  const settings = settingsOf(useExchangeState());
  const [, navigate] = useLocation();
  const [first] = blockersOf(useBlockers(), "calculator").filter(({ kind }) => kind !== "rate-loading");
  return (
    <BottomBar>
      <Button
        stretched
        disabled={first !== undefined}
        href={exchangePath(settings, "destination")}
        onClick={() => navigate(place === "home" ? homePath(settings) : exchangePath(settings), { replace: true })}
      >
        {t(first === undefined ? "calculator.continue" : (SAID_ON_IT[first.kind] ?? "calculator.continue"))}
      </Button>
    </BottomBar>
  );
}

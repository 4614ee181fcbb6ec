import { type RefObject, Suspense, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { formatPairSlug } from "#contract/links/pair-slug.ts";
import { useTranslation } from "react-i18next";
import { useI18n } from "../../../shared/i18n/index.ts";
import { pairValues } from "../../../shared/format/pair-names.ts";
import { usePageData, usePageSearch } from "../../../shared/page/page-context.ts";
import { classNames } from "../../../shared/ui/index.ts";
import { AmountPresets } from "./amount-presets.tsx";
import { Calculator } from "./calculator.tsx";
import { exchangePath, stepOf } from "../model/calculator-url.ts";
import { kindOf } from "../model/kind.ts";
import { destinationStep, useFocusOnStep } from "../destination/lazy-destination-step.tsx";
import type { CalculatorData } from "../load.ts";
import { instrumentOf, settingsOf } from "../store/selectors.ts";
import { ExchangeProvider, useExchangeState, useExchangeStore } from "../store/provider.tsx";
import "./exchange-page.css";

/** `/exchange-{pair}`: the calculator and, with `step=destination`, the step before the order. */
export function ExchangePage() {
  const { catalogue, opening } = usePageData<CalculatorData>();
  return (
    <ExchangeProvider catalogue={catalogue} opening={opening}>
      <ExchangeScreen />
    </ExchangeProvider>
  );
}

function ExchangeScreen() {
  const [path] = useLocation();
  const isStep = stepOf(new URLSearchParams(usePageSearch(path.startsWith("/exchange-")))) === "destination";
  const i18n = useI18n();
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
  }, []);
  const prefetchStep = () => destinationStep.prefetch(i18n);
  useAddressFollowsPair(isStep);
  const { t } = useTranslation("exchange");
  const { kind, names } = usePairNames();
  return (
    <div
      className={classNames("w-page w-exchange", isStep && "w-exchange--step")}
      onPointerEnter={prefetchStep}
      onFocus={prefetchStep}
    >
      <div className="w-exchange__calculator">
        {isStep ? null : <h1 className="w-exchange__title">{t("page.title", { ...names, context: kind })}</h1>}
        <Calculator place="exchange" hasContinue={!isStep} />
        {isStep ? null : (
          <>
            <p className="w-exchange__lead">{t("page.lead", { ...names, context: kind })}</p>
            <AmountPresets />
          </>
        )}
      </div>
      {isStep ? (
        <div className="w-exchange__step">
          <Suspense fallback={null}>
            <destinationStep.Component />
          </Suspense>
          <Arrival isOpen={isOpen} />
        </div>
      ) : null}
    </div>
  );
}

/** Comes with the step: it moves the focus there, but for a page that begins with it. */
function Arrival({ isOpen }: { readonly isOpen: RefObject<boolean> }) {
  useFocusOnStep(isOpen);
  return null;
}

function usePairNames() {
  const { catalogue } = useExchangeStore();
  const state = useExchangeState();
  const [from, to] = [instrumentOf(catalogue, state.from), instrumentOf(catalogue, state.to)];
  return { kind: kindOf(from, to), names: pairValues(from, to) };
}

/** Choosing another coin here makes this the page of another pair; Back does not stop at each of them. */
function useAddressFollowsPair(isStep: boolean): void {
  const { state, address } = useExchangeStore();
  useExchangeState();
  const [path, navigate] = useLocation();
  useEffect(() => {
    // As it is by now: the page of another address may have been adopted since the render.
    const settings = settingsOf(state);
    const pair = formatPairSlug(settings);
    if (address.pair === pair) return;
    Object.assign(address, { pair, isMadeHere: true });
    if (path !== `/exchange-${pair}`)
      navigate(exchangePath(settings, isStep ? "destination" : undefined), { replace: true });
  });
}

import { type ReactNode, type RefObject, Suspense, useDeferredValue, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import { Calculator } from "../../features/exchange/calculator/calculator.tsx";
import { destinationStep } from "../../features/exchange/destination/lazy-destination-step.tsx";
import { exchangePath, stepOf } from "../../features/exchange/model/calculator-url.ts";
import { ExchangeProvider, useExchangeState } from "../../features/exchange/store/provider.tsx";
import { settingsOf } from "../../features/exchange/store/selectors.ts";
import { useI18n } from "../../shared/i18n/index.ts";
import { ErrorBoundary } from "../../shared/page/error-boundary.tsx";
import { FailureNote } from "../../shared/page/failure-note.tsx";
import { PageContext } from "../../shared/page/page-context.ts";
import { classNames } from "../../shared/ui/index.ts";
import type { EmbedProps, EmbedScreen } from "./embed-data.ts";
import { EmbedFooter } from "./embed-footer.tsx";
import { embedOrder } from "./embed-parts.ts";
import type { Parent } from "./parent-messages.ts";
import { useEmbedScreen } from "./use-embed-screen.ts";
import "./embed.css";

/** The widget's screens over its own footer, as high as they are. */
export function EmbedFrame({ data, api, parent }: EmbedProps) {
  const [path] = useLocation();
  const search = useSearch();
  const { widget } = data;
  const first = data.calculator === null ? null : { data: data.calculator, now: data.now };
  const { screen, retry } = useEmbedScreen({ path, search }, { first, widget, api });
  const root = useRef<HTMLDivElement>(null);
  useReportedHeight(root, parent);
  useBeginning(screen);
  return (
    <div ref={root} className={classNames("w-embed", widget.isCompact && "w-embed--compact")}>
      <ErrorBoundary
        resetKey={screen}
        renderFallback={(_, again) => <Unavailable referrer={widget.ref} onRetry={again} />}
      >
        <Suspense>
          {screen.kind === "failed" ? (
            <Unavailable referrer={widget.ref} onRetry={retry} />
          ) : (
            <Screen screen={screen} data={data} parent={parent} search={search} />
          )}
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

type ScreenProps = Pick<EmbedProps, "data" | "parent"> & {
  readonly screen: Exclude<EmbedScreen, { kind: "failed" }>;
  readonly search: string;
};

function Screen({ screen, data, parent, search }: ScreenProps) {
  const { settings, isSandbox, widget } = data;
  const page = useMemo(
    () => ({ ...settings, isSandbox, data: screen.data, now: screen.now }),
    [settings, isSandbox, screen],
  );
  return (
    <PageContext value={page}>
      {screen.kind === "order" ? (
        <>
          <Main>
            <embedOrder.Component kind={screen.data.kind} onSeen={(order) => parent?.order(order)} />
          </Main>
          <EmbedFooter path={`/order/${screen.key}`} referrer={widget.ref} />
        </>
      ) : (
        <ExchangeProvider catalogue={screen.data.catalogue} opening={screen.data.opening}>
          <Exchange step={stepOf(new URLSearchParams(search))} referrer={widget.ref} />
        </ExchangeProvider>
      )}
    </PageContext>
  );
}

type ExchangeProps = { readonly step: "destination" | undefined; readonly referrer: string | null };

/** The calculator, or the step before the order in its place. */
function Exchange({ step: asked, referrer }: ExchangeProps) {
  // The calculator stays until the step's code is there: the frame would be as high as its footer meanwhile.
  const step = useDeferredValue(asked);
  const { t } = useTranslation("embed");
  const i18n = useI18n();
  const settings = settingsOf(useExchangeState());
  const prefetch = () => {
    destinationStep.prefetch(i18n);
    embedOrder.prefetch(i18n);
  };
  return (
    <>
      <Main>
        {step === undefined ? (
          <div onPointerEnter={prefetch} onFocus={prefetch}>
            <h1 className="w-visually-hidden">{t("label")}</h1>
            <Calculator place="exchange" />
          </div>
        ) : (
          <>
            <destinationStep.Component />
            <Arrival />
          </>
        )}
      </Main>
      <EmbedFooter path={exchangePath(settings, step)} referrer={referrer} />
    </>
  );
}

function Main({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation("embed");
  return (
    <main className="w-embed__main" aria-label={t("label")}>
      {children}
    </main>
  );
}

/** Comes with the step, and moves the focus to it. */
function Arrival() {
  useEffect(() => document.getElementById("destination-title")?.focus({ preventScroll: true }), []);
  return null;
}

type UnavailableProps = { readonly referrer: string | null; readonly onRetry: () => void };

function Unavailable({ referrer, onRetry }: UnavailableProps) {
  const { t } = useTranslation("embed");
  return (
    <>
      <Main>
        <FailureNote title={t("unavailable")} text={t("unavailableText")} retryLabel={t("retry")} onRetry={onRetry} />
      </Main>
      <EmbedFooter path="/" referrer={referrer} />
    </>
  );
}

/** Tells the page around it how high it is, and that it is there. */
function useReportedHeight(root: RefObject<HTMLElement | null>, parent: Parent | null): void {
  useEffect(() => {
    const element = root.current;
    if (element === null || parent === null) return undefined;
    const observer = new ResizeObserver(() => parent.height(element.getBoundingClientRect().height));
    observer.observe(element);
    parent.ready();
    return () => observer.disconnect();
  }, [root, parent]);
}

/** Each screen begins at its top. */
function useBeginning({ kind }: EmbedScreen): void {
  const last = useRef(kind);
  useEffect(() => {
    if (last.current === kind) return;
    last.current = kind;
    scrollTo(0, 0);
  }, [kind]);
}

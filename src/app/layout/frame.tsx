import { Activity, Suspense, useEffect, useMemo, useRef } from "react";
import { useLocation } from "wouter";
import { useTranslation } from "react-i18next";
import { ErrorBoundary } from "../../shared/page/error-boundary.tsx";
import { PageContext } from "../../shared/page/page-context.ts";
import { usePageSearch } from "../../shared/page/page-context.ts";
import { classNames, TabBar } from "../../shared/ui/index.ts";
import { useTabsOnScreen } from "../../shared/ui/controls/screen-actions.ts";
import { isPageReplaced } from "../health/cycle.ts";
import { nonWorking, useHealth } from "../health/use-health.tsx";
import { FailedPage } from "../pages/failed.tsx";
import { NotFoundPage } from "../pages/not-found.tsx";
import { pathInLanguage } from "../router/path-in-language.ts";
import type { PageState } from "../router/use-page-state.ts";
import { Footer } from "./footer.tsx";
import "./frame.css";
import { Header } from "./header.tsx";
import { LoadingBar } from "./loading-bar.tsx";
import { OfflineBand, ServiceDownBand } from "./offline-band.tsx";
import { navItemsOf } from "./navigation.ts";
import { Toasts } from "./toasts.tsx";

type FrameProps = { readonly pageState: PageState; readonly isLoading: boolean; readonly retry: () => void };

/** The layout around every page; while the service is down, most pages are replaced. */
export function Frame({ pageState, isLoading, retry }: FrameProps) {
  const { t } = useTranslation("common");
  const navItems = navItemsOf(pageState);
  const { health, checkNow, polling } = useHealth(pageState.health, pageState.now, pageState.settings.connectivityUrl);
  const isDown = health.status !== "OK";
  const isReplaced = isPageReplaced(health.status, pageState.path);
  const tabs = navItems.flatMap(({ name, href, isCurrent, tabIcon }) =>
    tabIcon === null ? [] : [{ label: t(`nav.${name}`), icon: tabIcon, href, isCurrent }],
  );
  const isOnStep = isStep(pageState, usePageSearch(useLocation()[0] === pageState.path));
  const hasTabs = tabs.length > 1 && !isOnStep && !isReplaced;
  useTabsOnScreen(hasTabs);
  useRetryAfterOutage(isDown, pageState, retry);
  return (
    <div className={classNames("w-frame", hasTabs && "w-frame--tabs")}>
      <a className="w-frame__skip" href="#main">
        {t("nav.skip")}
      </a>
      <LoadingBar isLoading={isLoading} />
      <Header
        items={isReplaced ? [] : navItems}
        pathIn={(locale) => pathInLanguage(pageState, locale)}
        isSignedIn={pageState.isSignedIn}
      />
      <OfflineBand />
      <ServiceDownBand isDown={isDown && !isReplaced} />
      <main id="main" className="w-frame__main" tabIndex={-1}>
        {isReplaced ? (
          <Suspense>
            <nonWorking.Component health={health} checkNow={checkNow} />
          </Suspense>
        ) : null}
        <Activity mode={isReplaced ? "hidden" : "visible"}>
          <PageSlot pageState={pageState} retry={retry} />
        </Activity>
      </main>
      {isReplaced ? null : <Footer pageState={pageState} isWorking={!isDown} />}
      {hasTabs ? <TabBar label={t("nav.tabs")} tabs={tabs} /> : null}
      {polling}
      <Toasts isReloadBlocked={isOnStep} />
    </div>
  );
}

/** The destination step is a part of the exchange page, distinguished by the query only. */
const isStep = ({ view }: PageState, search: string): boolean =>
  view.kind === "page" && (view.route.layout === "step" || new URLSearchParams(search).get("step") === "destination");

/** A page that failed while the service was down is loaded again once it is back. */
function useRetryAfterOutage(isDown: boolean, { view }: PageState, retry: () => void): void {
  const wasDown = useRef(isDown);
  useEffect(() => {
    if (wasDown.current && !isDown && view.kind === "failed") retry();
    wasDown.current = isDown;
  }, [isDown, view, retry]);
}

function PageSlot(props: Pick<FrameProps, "pageState" | "retry">) {
  return (
    <ErrorBoundary
      resetKey={props.pageState.view}
      renderFallback={(error, retry) => <FailedPage path={props.pageState.path} error={error} retry={retry} />}
    >
      <Suspense>
        <Page {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

function Page({ pageState, retry }: Pick<FrameProps, "pageState" | "retry">) {
  const { view, now, isSandbox, path } = pageState;
  const { settings } = pageState;
  const state = useMemo(
    () => (view.kind === "page" ? { ...settings, data: view.data, now, isSandbox } : null),
    [view, now, isSandbox, settings],
  );
  if (view.kind === "notFound") return <NotFoundPage message={view.message} />;
  if (view.kind === "failed")
    return <FailedPage path={path} error={view.error} retry={retry} headers={pageState.requestHeaders} />;
  return (
    <PageContext value={state}>
      <view.module.Page />
    </PageContext>
  );
}

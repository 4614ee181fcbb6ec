import { Activity, memo, Suspense, useEffect, useMemo, useRef } from "react";
import { useLocation } from "wouter";
import { useTranslation } from "react-i18next";
import { PageContext } from "../../shared/page/page-context.ts";
import { usePageSearch } from "../../shared/page/page-context.ts";
import { classNames } from "../../shared/ui/index.ts";
import { NonWorking } from "../health/non-working.tsx";
import { isPageReplaced } from "../health/cycle.ts";
import { useHealth } from "../health/use-health.ts";
import { FailedPage } from "../pages/failed.tsx";
import { NotFoundPage } from "../pages/not-found.tsx";
import type { PageState } from "../router/use-page-state.ts";
import { Footer } from "./footer.tsx";
import "./frame.css";
import { Header } from "./header.tsx";
import { LoadingBar } from "./loading-bar.tsx";
import { NotificationToast } from "./notification-toast.tsx";
import { DownBand, OfflineBand } from "./offline-band.tsx";
import { sectionsOf } from "./sections.ts";
import { TabBar } from "./tab-bar.tsx";
import { UpdateNotice } from "./update-notice.tsx";

type FrameProps = { readonly pageState: PageState; readonly isLoading: boolean; readonly retry: () => void };

/** What stands around every page; while the service is down, what stands in its place. */
export function Frame({ pageState, isLoading, retry }: FrameProps) {
  const { t } = useTranslation("common");
  const sections = sectionsOf(pageState);
  const { health, checkNow } = useHealth(pageState.health, pageState.now, pageState.settings.connectivityUrl);
  const isDown = health.status !== "OK";
  const isAway = isPageReplaced(health.status, pageState.path);
  const tabs = sections.filter(({ isTab }) => isTab);
  const isOnStep = isStep(pageState, usePageSearch(useLocation()[0] === pageState.path));
  const hasTabs = tabs.length > 1 && !isOnStep && !isAway;
  useRecovery(isDown, pageState, retry);
  return (
    <div className={classNames("w-frame", hasTabs && "w-frame--tabs")}>
      <a className="w-frame__skip" href="#main">
        {t("nav.skip")}
      </a>
      <LoadingBar isLoading={isLoading} />
      <Header sections={isAway ? [] : sections} path={pageState.path} />
      <OfflineBand />
      <DownBand isDown={isDown && !isAway} />
      <main id="main" className="w-frame__main" tabIndex={-1}>
        {isAway ? <NonWorking health={health} checkNow={checkNow} /> : null}
        <Activity mode={isAway ? "hidden" : "visible"}>
          <PageSlot pageState={pageState} retry={retry} />
        </Activity>
      </main>
      {isAway ? null : <Footer pageState={pageState} isWorking={!isDown} />}
      {hasTabs ? <TabBar sections={tabs} /> : null}
      <div className="w-frame__toasts">
        <NotificationToast />
        <UpdateNotice isHeld={isOnStep} />
      </div>
    </div>
  );
}

/** The destination step is a part of the exchange page, named by the query alone. */
const isStep = ({ view }: PageState, search: string): boolean =>
  view.kind === "page" && (view.route.isStep || new URLSearchParams(search).get("step") === "destination");

/** A page that failed while the service was down is loaded again once it is back. */
function useRecovery(isDown: boolean, { view }: PageState, retry: () => void): void {
  const wasDown = useRef(isDown);
  useEffect(() => {
    if (wasDown.current && !isDown && view.kind === "failed") retry();
    wasDown.current = isDown;
  }, [isDown, view, retry]);
}

/** Stays as it is while only its frame changes: a page on its way to life would else be hydrated at once, in one piece. */
const PageSlot = memo(function PageSlot(props: Pick<FrameProps, "pageState" | "retry">) {
  return (
    <Suspense>
      <Page {...props} />
    </Suspense>
  );
});

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

import { Activity, memo, Suspense, useEffect, useMemo, useRef } from "react";
import { useLocation } from "wouter";
import { useT } from "../../shared/i18n/index.ts";
import { PageContext } from "../../shared/page/page.ts";
import { useShownSearch } from "../../shared/page/use-shown-search.ts";
import { classNames } from "../../shared/ui/index.ts";
import { NonWorking } from "../health/non-working.tsx";
import { isReplaced } from "../health/replaced.ts";
import { useHealth } from "../health/use-health.ts";
import { FailedPage } from "../pages/failed.tsx";
import { NotFoundPage } from "../pages/not-found.tsx";
import type { Visit } from "../router/use-visit.ts";
import { Footer } from "./footer.tsx";
import "./frame.css";
import { Header } from "./header.tsx";
import { LoadingBar } from "./loading-bar.tsx";
import { NotificationToast } from "./notification-toast.tsx";
import { DownBand, OfflineBand } from "./offline-band.tsx";
import { sectionsOf } from "./sections.ts";
import { TabBar } from "./tab-bar.tsx";
import { UpdateNotice } from "./update-notice.tsx";

type FrameProps = { readonly visit: Visit; readonly isLoading: boolean; readonly retry: () => void };

/** What stands around every page; while the service is down, what stands in its place. */
export function Frame({ visit, isLoading, retry }: FrameProps) {
  const t = useT("common");
  const sections = sectionsOf(visit);
  const { watched, lookNow } = useHealth(visit.health, visit.now, visit.settings.connectivityUrl);
  const isDown = watched.shown !== "OK";
  const isAway = isReplaced(watched.shown, visit.path);
  const tabs = sections.filter(({ isTab }) => isTab);
  const isOnStep = isStep(visit, useShownSearch(useLocation()[0] === visit.path));
  const hasTabs = tabs.length > 1 && !isOnStep && !isAway;
  useRecovery(isDown, visit, retry);
  return (
    <div className={classNames("w-frame", hasTabs && "w-frame--tabs")}>
      <a className="w-frame__skip" href="#main">
        {t("nav.skip")}
      </a>
      <LoadingBar isLoading={isLoading} />
      <Header sections={isAway ? [] : sections} path={visit.path} />
      <OfflineBand />
      <DownBand isDown={isDown && !isAway} />
      <main id="main" className="w-frame__main" tabIndex={-1}>
        {isAway ? <NonWorking watched={watched} lookNow={lookNow} /> : null}
        <Activity mode={isAway ? "hidden" : "visible"}>
          <PageSlot visit={visit} retry={retry} />
        </Activity>
      </main>
      {isAway ? null : <Footer visit={visit} isWorking={!isDown} />}
      {hasTabs ? <TabBar sections={tabs} /> : null}
      <div className="w-frame__toasts">
        <NotificationToast />
        <UpdateNotice isHeld={isOnStep} />
      </div>
    </div>
  );
}

/** The destination step is a part of the exchange page, named by the query alone. */
const isStep = ({ shown }: Visit, search: string): boolean =>
  shown.kind === "page" && (shown.route.isStep || new URLSearchParams(search).get("step") === "destination");

/** A page that failed while the service was down is loaded again once it is back. */
function useRecovery(isDown: boolean, { shown }: Visit, retry: () => void): void {
  const wasDown = useRef(isDown);
  useEffect(() => {
    if (wasDown.current && !isDown && shown.kind === "failed") retry();
    wasDown.current = isDown;
  }, [isDown, shown, retry]);
}

/** Stays as it is while only its frame changes: a page on its way to life would else be hydrated at once, in one piece. */
const PageSlot = memo(function PageSlot(props: Pick<FrameProps, "visit" | "retry">) {
  return (
    <Suspense>
      <Page {...props} />
    </Suspense>
  );
});

function Page({ visit, retry }: Pick<FrameProps, "visit" | "retry">) {
  const { shown, now, isSandbox, path } = visit;
  const { settings } = visit;
  const state = useMemo(
    () => (shown.kind === "page" ? { ...settings, data: shown.data, now, isSandbox } : null),
    [shown, now, isSandbox, settings],
  );
  if (shown.kind === "notFound") return <NotFoundPage message={shown.message} />;
  if (shown.kind === "failed")
    return <FailedPage path={path} error={shown.error} retry={retry} headers={visit.shownHeaders} />;
  return (
    <PageContext value={state}>
      <shown.module.Page />
    </PageContext>
  );
}

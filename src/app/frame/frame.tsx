import { Suspense, useMemo } from "react";
import { useT } from "../../lib/i18n/index.ts";
import { PageContext } from "../../lib/page.ts";
import { classNames } from "../../ui/index.ts";
import { FailedPage } from "../pages/failed.tsx";
import { NotFoundPage } from "../pages/not-found.tsx";
import type { Visit } from "../use-visit.ts";
import { Footer } from "./footer.tsx";
import "./frame.css";
import { Header } from "./header.tsx";
import { LoadingBar } from "./loading-bar.tsx";
import { NotificationToast } from "./notification-toast.tsx";
import { OfflineBand } from "./offline-band.tsx";
import { TabBar } from "./tab-bar.tsx";
import { UpdateToast } from "./update-toast.tsx";
import { useSections } from "./use-sections.ts";

type FrameProps = { readonly visit: Visit; readonly isLoading: boolean; readonly retry: () => void };

/** What stands around every page. */
export function Frame({ visit, isLoading, retry }: FrameProps) {
  const t = useT("common");
  const sections = useSections(visit);
  const hasTabs = sections.length > 1 && !isStep(visit);
  return (
    <div className={classNames("w-frame", hasTabs && "w-frame--tabs")}>
      <a className="w-frame__skip" href="#main">
        {t("nav.skip")}
      </a>
      <LoadingBar isLoading={isLoading} />
      <Header sections={sections} path={visit.path} />
      <OfflineBand />
      <main id="main" className="w-frame__main" tabIndex={-1}>
        <Suspense>
          <Page visit={visit} retry={retry} />
        </Suspense>
      </main>
      <Footer path={visit.path} now={visit.now} />
      {hasTabs ? <TabBar sections={sections} /> : null}
      <div className="w-frame__toasts">
        <NotificationToast />
        <UpdateToast isHeld={isStep(visit)} />
      </div>
    </div>
  );
}

const isStep = ({ shown }: Visit): boolean => shown.kind === "page" && shown.route.isStep;

function Page({ visit, retry }: Pick<FrameProps, "visit" | "retry">) {
  const { shown, now, isSandbox, path } = visit;
  const state = useMemo(
    () => (shown.kind === "page" ? { data: shown.data, now, isSandbox } : null),
    [shown, now, isSandbox],
  );
  if (shown.kind === "notFound") return <NotFoundPage path={path} />;
  if (shown.kind === "failed") return <FailedPage path={path} error={shown.error} retry={retry} />;
  return (
    <PageContext value={state}>
      <shown.module.Page />
    </PageContext>
  );
}

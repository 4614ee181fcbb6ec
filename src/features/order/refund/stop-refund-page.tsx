import { type ReactNode, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { playHaptic } from "../../../shared/browser/haptics.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import { BoatIllustration, BottomBar, LiveRegion, Note, PrimaryAction } from "../../../shared/ui/index.ts";
import { stopRefund } from "../api.ts";
import { readStopLink, type StopLink, stopFailure, type StopFailure } from "../model/choice/stop-link.ts";
import "../lookup/lookup.css";

type Progress =
  | { readonly kind: "ready" | "stopping" }
  | { readonly kind: "stopped"; readonly reference: string }
  | { readonly kind: "failed"; readonly why: StopFailure };

/**
 * `/stop-refund`: where the link of a message about a waiting refund leads. Nothing is stopped before a press: mail programs open links
 * too.
 */
export function StopRefundPage() {
  // The fragment never reaches the server; another link that is opened in this tab changes it alone.
  const hash = useSyncExternalStore(
    onHashChange,
    () => location.hash,
    () => undefined,
  );
  const link = hash === undefined ? undefined : readStopLink(hash);
  return link === null ? <Outcome name="unknown" /> : <StopRefund key={hash} link={link} />;
}

function onHashChange(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

/** `link` is undefined until the page is hydrated. */
function StopRefund({ link }: { readonly link: StopLink | undefined }) {
  const { t } = useTranslation("order");
  const isOnline = useOnline();
  const [progress, setProgress] = useState<Progress>({ kind: "ready" });

  const stop = async () => {
    if (link === undefined) return;
    setProgress({ kind: "stopping" });
    try {
      const { reference } = await stopRefund(link);
      setProgress({ kind: "stopped", reference });
      playHaptic("completed");
    } catch (error) {
      setProgress({ kind: "failed", why: stopFailure(error instanceof CallError ? error : null) });
      playHaptic("failed");
    }
  };

  if (progress.kind === "stopped") return <Outcome name="stopped" reference={progress.reference} />;
  if (progress.kind === "failed" && progress.why !== "unreachable") return <Outcome name={progress.why} />;
  return (
    <Message title={t("stop.title")} text={t("stop.text")}>
      <p className="w-order-lookup__text">{t("stop.next")}</p>
      {progress.kind === "failed" ? (
        <Note tone="signal" title={t("stop.failed.title")}>
          {t("stop.failed.text")}
        </Note>
      ) : null}
      <BottomBar>
        <PrimaryAction
          stretched
          onClick={() => void stop()}
          disabled={!isOnline || link === undefined}
          busyLabel={progress.kind === "stopping" ? t("stop.stopping") : null}
        >
          {t(isOnline ? "stop.do" : "stale.waiting")}
        </PrimaryAction>
      </BottomBar>
    </Message>
  );
}

type OutcomeProps = { readonly name: "stopped" | "late" | "unknown"; readonly reference?: string };

function Outcome({ name, reference = "" }: OutcomeProps) {
  const { t } = useTranslation("order");
  const title = t(`stop.${name}.title`, { reference });
  return (
    <Message title={title} text={t(`stop.${name}.text`, { reference })}>
      <LiveRegion text={title} />
      <BottomBar>
        <PrimaryAction stretched href="/orders">
          {t("stop.orders")}
        </PrimaryAction>
      </BottomBar>
    </Message>
  );
}

type MessageProps = { readonly title: string; readonly text: string; readonly children: ReactNode };

function Message({ title, text, children }: MessageProps) {
  return (
    <div className="w-order-lookup w-page">
      <BoatIllustration />
      <h1 className="w-order-lookup__title">{title}</h1>
      <p className="w-order-lookup__text">{text}</p>
      {children}
    </div>
  );
}

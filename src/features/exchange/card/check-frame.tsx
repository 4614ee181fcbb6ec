import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocale } from "../../../shared/i18n/index.ts";

type CheckFrameProps = {
  readonly url: string;
  readonly title: string;
  /** The browser does not show the page in a frame. */
  readonly onRefused: () => void;
};

/** Longer than the provider's page needs to come and say something. */
const SILENT_MS = 8_000;

/** The provider's page of the check. It may use the camera, and can't lead this page elsewhere. */
export function CheckFrame({ url, title, onRefused }: CheckFrameProps) {
  const { t } = useTranslation("card");
  const { origin } = new URL(url);
  const isSilent = useIsSilent(origin);
  useRefusal(origin, onRefused);
  return (
    <>
      <iframe
        className="w-card-window__frame"
        src={url}
        title={title}
        lang={useLocale()}
        allow={`camera ${origin}`}
        // Another origin's page needs its own storage: it reaches nothing of ours, and can't lead us away. The sandbox's is our own.
        sandbox={origin === location.origin ? undefined : "allow-scripts allow-same-origin allow-forms allow-popups"}
        referrerPolicy="no-referrer"
      />
      {isSilent ? <p className="w-card-window__text">{t("window.silent")}</p> : null}
    </>
  );
}

/** A page that its own server keeps out of frames looks like one that sends nothing: a link is offered, and the frame stays. */
function useIsSilent(origin: string): boolean {
  const [isSilent, setSilent] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSilent(true), SILENT_MS);
    const hear = (event: MessageEvent) => {
      if (event.origin !== origin) return;
      clearTimeout(timer);
      setSilent(false);
    };
    addEventListener("message", hear);
    return () => {
      clearTimeout(timer);
      removeEventListener("message", hear);
    };
  }, [origin]);
  return isSilent;
}

/** The policy that this page was loaded with keeps the frame out. */
function useRefusal(origin: string, onRefused: () => void): void {
  const refuse = useEffectEvent(onRefused);
  useEffect(() => {
    const hear = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
      if (effectiveDirective === "frame-src" && blockedURI.startsWith(origin)) refuse();
    };
    document.addEventListener("securitypolicyviolation", hear);
    return () => document.removeEventListener("securitypolicyviolation", hear);
  }, [origin]);
}

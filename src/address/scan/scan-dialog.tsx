import { useRef, type RefObject, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog, Note, Spinner } from "../../shared/ui/index.ts";
import { CameraError, type CameraErrorReason, closeCamera, openCamera } from "../../shared/browser/camera.ts";
import { openQrDetector } from "../../shared/browser/qr-detector.ts";
import { abortOnCleanup } from "../../shared/page/abort-on-cleanup.ts";
import "./scan-dialog.css";

type ScanDialogProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onFound: (text: string) => void;
};

/** The camera's picture, until it shows a QR code. */
export function ScanDialog({ open, onClose, onFound }: ScanDialogProps) {
  const { t } = useTranslation("exchange");
  const video = useRef<HTMLVideoElement>(null);
  const state = useScan(video, open, onFound);
  const isSeen = state === "starting" || state === "looking";
  return (
    <Dialog open={open} onClose={onClose} title={t("scan.title")}>
      {isSeen ? (
        <div className="w-scan">
          {/* A picture of what is in front of its reader: nothing in it is in words. */}
          <video ref={video} className="w-scan__video" muted playsInline aria-hidden="true" />
          {state === "starting" ? (
            <Spinner label={t("scan.starting")} isLabelShown />
          ) : (
            <p role="status">{t("scan.looking")}</p>
          )}
        </div>
      ) : (
        <Note tone="danger" title={t(`scan.${state}`)}>
          {t("scan.instead")}
        </Note>
      )}
    </Dialog>
  );
}

type ScanState = "starting" | "looking" | CameraErrorReason | "failed";

/** Slower than a camera's pictures, so that a phone stays cool; faster than a hand moves. */
const LOOK_MS = 150;

/** Shows the camera in `video` while `isOn`, and gives the text of the first QR code that it sees. */
function useScan(video: RefObject<HTMLVideoElement | null>, isOn: boolean, onFound: (text: string) => void): ScanState {
  const [state, setState] = useState<ScanState>("starting");
  const found = useEffectEvent(onFound);
  useEffect(() => {
    if (!isOn) return undefined;
    return abortOnCleanup(async (signal) => {
      try {
        setState("starting");
        const text = await scan(video, signal, () => setState("looking"));
        if (text !== null) found(text);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof CameraError)) console.warn("the code could not be looked for", error);
        setState(error instanceof CameraError ? error.reason : "failed");
      }
    });
  }, [isOn, video]);
  return state;
}

/** Null when it was given up. */
async function scan(
  video: RefObject<HTMLVideoElement | null>,
  signal: AbortSignal,
  onLooking: () => void,
): Promise<string | null> {
  // Its failure is shown once the camera was waited for.
  const detecting = Promise.allSettled([openQrDetector()]);
  const stream = await openCamera();
  try {
    const screen = video.current;
    if (signal.aborted || screen === null) return null;
    screen.srcObject = stream;
    const [[detector]] = await Promise.all([detecting, screen.play()]);
    if (detector.status === "rejected") throw detector.reason;
    const detect = detector.value;
    onLooking();
    while (!signal.aborted) {
      const text = await detect(screen);
      if (text !== null && text.trim() !== "") return signal.aborted ? null : text;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return null;
  } finally {
    closeCamera(stream);
  }
}

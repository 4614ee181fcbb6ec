import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  CameraError,
  type CameraErrorReason,
  type CameraSide,
  closeCamera,
  openCamera,
} from "../../../shared/browser/camera.ts";
import { abortOnCleanup } from "../../../shared/page/abort-on-cleanup.ts";
import { Dialog, Note, PrimaryAction, Spinner } from "../../../shared/ui/index.ts";

type CameraDialogProps = {
  readonly title: string;
  readonly side: CameraSide;
  readonly onClose: () => void;
  /** Takes the picture that the video shows at this moment. */
  readonly onShot: (video: HTMLVideoElement) => Promise<void>;
};

/** What a document's letters need, where the camera has it. */
const SIZE = { width: { ideal: 1_920 }, height: { ideal: 1_080 } };

/** The camera's picture, and the button that takes it. */
export function CameraDialog({ title, side, onClose, onShot }: CameraDialogProps) {
  const { t } = useTranslation("verification");
  const video = useRef<HTMLVideoElement>(null);
  const [isShooting, setShooting] = useState(false);
  const state = useCamera(video, side);
  const isSeen = state === "starting" || state === "on";
  const shoot = async () => {
    if (video.current === null || isShooting) return;
    setShooting(true);
    await onShot(video.current).finally(() => setShooting(false));
  };
  return (
    <Dialog open onClose={onClose} title={title}>
      {isSeen ? (
        <div className="w-check-camera">
          {/* A picture of what is in front of its reader: nothing in it is in words. */}
          <video ref={video} className="w-check-camera__video" muted playsInline aria-hidden="true" />
          {state === "starting" ? (
            <Spinner label={t("camera.starting")} isLabelShown />
          ) : (
            <p role="status">{t(side === "user" ? "camera.face" : "camera.document")}</p>
          )}
          <PrimaryAction
            stretched
            disabled={state !== "on"}
            busyLabel={isShooting ? t("camera.shooting") : null}
            onClick={() => void shoot()}
          >
            {t("camera.shoot")}
          </PrimaryAction>
        </div>
      ) : (
        <Note tone="danger" title={t(`camera.${state}`)}>
          {t("camera.instead")}
        </Note>
      )}
    </Dialog>
  );
}

type CameraState = "starting" | "on" | CameraErrorReason;

/** Shows the camera in `video` until the dialog closes. */
function useCamera(video: RefObject<HTMLVideoElement | null>, side: CameraSide): CameraState {
  const [state, setState] = useState<CameraState>("starting");
  useEffect(
    () =>
      abortOnCleanup(async (signal) => {
        let stream: MediaStream | null = null;
        const close = () => stream && closeCamera(stream);
        signal.addEventListener("abort", close);
        try {
          setState("starting");
          stream = await openCamera(side, SIZE);
          const screen = video.current;
          if (signal.aborted || screen === null) return close();
          screen.srcObject = stream;
          await screen.play();
          setState("on");
        } catch (error) {
          close();
          if (signal.aborted) return;
          if (!(error instanceof CameraError)) console.warn("the camera's picture can't be shown", error);
          setState(error instanceof CameraError ? error.reason : "busy");
        }
      }),
    [video, side],
  );
  return state;
}

import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { CameraError, type CameraTrouble, closeCamera, openCamera } from "../../../shared/browser/camera.ts";
import { openQrDetector } from "../../../shared/browser/qr-detector.ts";

type ScanState = "starting" | "looking" | CameraTrouble | "failed";

/** Slower than a camera's pictures, so that a phone stays cool; faster than a hand moves. */
const LOOK_MS = 150;

/** Shows the camera in `video` while `isOn`, and gives the text of the first QR code that it sees. */
export function useScan(
  video: RefObject<HTMLVideoElement | null>,
  isOn: boolean,
  onFound: (text: string) => void,
): ScanState {
  const [state, setState] = useState<ScanState>("starting");
  const found = useEffectEvent(onFound);
  useEffect(() => {
    if (!isOn) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    const look = async () => {
      try {
        setState("starting");
        const text = await scan(video, signal, () => setState("looking"));
        if (text !== null) found(text);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof CameraError)) console.warn("the code could not be looked for", error);
        setState(error instanceof CameraError ? error.trouble : "failed");
      }
    };
    void look();
    return () => abort.abort();
  }, [isOn, video]);
  return state;
}

/** Null when it was given up. */
async function scan(
  video: RefObject<HTMLVideoElement | null>,
  signal: AbortSignal,
  onLooking: () => void,
): Promise<string | null> {
  // Its failure is told once the camera was waited for.
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

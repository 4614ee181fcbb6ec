/** `denied` by its owner or the browser's settings, `missing` where there is none, `busy` where it can't be used now. */
export type CameraErrorReason = "denied" | "missing" | "busy";

/** `openCamera` got no picture. */
export class CameraError extends Error {
  readonly reason: CameraErrorReason;

  constructor(reason: CameraErrorReason, cause?: unknown) {
    super(`the camera is ${reason}`, { cause });
    this.name = "CameraError";
    this.reason = reason;
  }
}

const REASONS: Record<string, CameraErrorReason> = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "missing",
  OverconstrainedError: "missing",
};

/** What Chromium's documents tell of their Permissions-Policy; other browsers have none. */
type PolicyDocument = { featurePolicy?: { allowsFeature(name: string): boolean } };

/** Whether this document may not use the camera, whatever its person allows: the policy that it was loaded with forbids it. */
export const isCameraForbidden = (): boolean =>
  (document as PolicyDocument).featurePolicy?.allowsFeature("camera") === false;

/** Where a camera looks: away from its owner, or at them. */
export type CameraSide = "environment" | "user";

/** The camera of this side, where there are several. Throws `CameraError`. */
export async function openCamera(
  side: CameraSide = "environment",
  size: MediaTrackConstraints = {},
): Promise<MediaStream> {
  // Browsers leave it out of pages that are not served over HTTPS.
  const devices = (navigator as { mediaDevices?: MediaDevices }).mediaDevices;
  if (devices === undefined) throw new CameraError("missing");
  try {
    return await devices.getUserMedia({ video: { facingMode: { ideal: side }, ...size }, audio: false });
  } catch (error) {
    throw new CameraError((error instanceof DOMException && REASONS[error.name]) || "busy", error);
  }
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Finds the text of a QR code in a picture; null where there is none. */
export type QrDetector = (picture: HTMLVideoElement) => Promise<string | null>;

type Detector = { detect: (picture: HTMLVideoElement) => Promise<{ rawValue: string }[]> };
type DetectorClass = {
  new (options: { formats: ["qr_code"] }): Detector;
  getSupportedFormats: () => Promise<readonly string[]>;
};

/** The browser's own detector, else a polyfill, loaded then. */
export async function openQrDetector(): Promise<QrDetector> {
  const Native = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
  const isNative = Native !== undefined && (await Native.getSupportedFormats()).includes("qr_code");
  const Chosen: DetectorClass = isNative ? Native : (await import("./qr-polyfill.ts")).QrPolyfill;
  const detector = new Chosen({ formats: ["qr_code"] });
  return async (picture) => (await detector.detect(picture))[0]?.rawValue ?? null;
}

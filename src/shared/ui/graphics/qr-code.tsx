import { useEffect, useRef, useState } from "react";
import { abortOnCleanup } from "../../page/abort-on-cleanup.ts";
import type { encodeQr, QrDrawing } from "./qr-drawing.ts";

type Encoder = typeof encodeQr;

let encoder: Encoder | null = null;

/**
 * For the server, which draws codes while it renders. A browser keeps what was drawn and loads the encoder for later
 * codes only.
 */
export const setQrEncoder = (given: Encoder): void => void (encoder = given);

async function loadEncoder(): Promise<Encoder> {
  return (encoder ??= (await import("./qr-drawing.ts")).encodeQr);
}

export type QrCodeProps = {
  readonly text: string;
  /** Text alternative. */
  readonly alt: string;
  /** Side in px. */
  readonly size: number;
};

/** Always dark on white with a white frame, in both themes: cameras read that best. */
export const QrCode = (props: QrCodeProps) => <Drawn key={props.text} {...props} />;

/** What the server has drawn is kept; a code that appears later is drawn by a lazily loaded encoder. */
function Drawn({ text, alt, size }: QrCodeProps) {
  const path = useRef<SVGPathElement>(null);
  const [drawing, setDrawing] = useState<QrDrawing | null>(() => encoder?.(text) ?? null);
  useEffect(() => {
    if (path.current?.hasAttribute("d")) return undefined;
    return abortOnCleanup(async (signal) => {
      try {
        const encode = await loadEncoder();
        if (!signal.aborted) setDrawing(encode(text));
      } catch (error) {
        console.warn("the QR code can't be drawn", error);
      }
    });
  }, [text]);
  return (
    <svg
      width={size}
      height={size}
      viewBox={drawing?.viewBox}
      role="img"
      aria-label={alt}
      shapeRendering="crispEdges"
      suppressHydrationWarning
    >
      <rect width="100%" height="100%" fill="#ffffff" />
      <path ref={path} d={drawing?.dark} fill="#0d1b2a" suppressHydrationWarning />
    </svg>
  );
}

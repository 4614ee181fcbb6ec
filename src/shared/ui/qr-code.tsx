import { useEffect, useRef, useState } from "react";
import type { QrDrawing } from "./qr-drawing.ts";
import { loadQrEncoder, qrEncoder } from "./qr-encoder.ts";

export type QrCodeProps = {
  readonly text: string;
  /** What the code holds, in words. */
  readonly alt: string;
  /** Side in px. */
  readonly size: number;
};

/** Always ink on white with its white frame, in both themes: cameras read nothing else as well. */
export const QrCode = (props: QrCodeProps) => <Drawn key={props.text} {...props} />;

/** What the server has drawn stays; only a code that came later is drawn here, by an encoder that comes with it. */
function Drawn({ text, alt, size }: QrCodeProps) {
  const path = useRef<SVGPathElement>(null);
  const [drawing, setDrawing] = useState<QrDrawing | null>(() => qrEncoder()?.(text) ?? null);
  useEffect(() => {
    if (path.current?.hasAttribute("d")) return undefined;
    let isLeft = false;
    const draw = async () => {
      const encode = await loadQrEncoder();
      if (!isLeft) setDrawing(encode(text));
    };
    draw().catch((error: unknown) => console.warn("the code can't be drawn", error));
    return () => {
      isLeft = true;
    };
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

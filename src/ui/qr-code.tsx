import { useMemo } from "react";
import { encode } from "uqr";

export type QrCodeProps = {
  readonly text: string;
  /** What the code holds, in words. */
  readonly alt: string;
  /** Side in px. */
  readonly size: number;
};

const QUIET_ZONE = 4;

/** Always ink on white with its white frame, in both themes: cameras read nothing else as well. */
export function QrCode({ text, alt, size }: QrCodeProps) {
  const { data, size: modules } = useMemo(() => encode(text, { ecc: "M", border: 0 }), [text]);
  const side = modules + QUIET_ZONE * 2;
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={alt}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#ffffff" />
      <path d={darkPath(data)} fill="#0d1b2a" />
    </svg>
  );
}

/** One box for each run of dark modules in a row. */
function darkPath(rows: readonly (readonly boolean[])[]): string {
  const boxes = rows.map((row, y) => {
    const dark = row.map((isDark) => (isDark ? "#" : " ")).join("");
    return Array.from(dark.matchAll(/#+/g), ({ 0: { length }, index }) => {
      return `M${index + QUIET_ZONE} ${y + QUIET_ZONE}h${length}v1h-${length}z`;
    }).join("");
  });
  return boxes.join("");
}

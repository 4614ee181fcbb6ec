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
  const { data, size: modules } = encode(text, { ecc: "M", border: 0 });
  const side = modules + QUIET_ZONE * 2;
  const dark = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z` : "")),
  );
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
      <path d={dark.join("")} fill="#0d1b2a" />
    </svg>
  );
}

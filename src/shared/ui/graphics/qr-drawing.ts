import { encode } from "uqr";

export type QrDrawing = { readonly viewBox: string; readonly dark: string };

const QUIET_ZONE = 4;

/** A QR code that holds `text`, with the quiet zone that cameras need; one unit is one module. */
export function encodeQr(text: string): QrDrawing {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const side = size + QUIET_ZONE * 2;
  return { viewBox: `0 0 ${side} ${side}`, dark: darkPath(data) };
}

/** One rectangle for each run of dark modules in a row. */
function darkPath(rows: readonly (readonly boolean[])[]): string {
  const boxes = rows.map((row, y) => {
    const dark = row.map((isDark) => (isDark ? "#" : " ")).join("");
    return Array.from(dark.matchAll(/#+/g), ({ 0: { length }, index }) => {
      return `M${index + QUIET_ZONE} ${y + QUIET_ZONE}h${length}v1h-${length}z`;
    }).join("");
  });
  return boxes.join("");
}

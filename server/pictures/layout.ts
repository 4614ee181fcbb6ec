import type { PictureFacts } from "./facts.ts";

/** spec §9 */
export const PICTURE = { width: 1200, height: 630 } as const;

const NAVY = "#0f2238";
const PALE = "#f2f7fa";
const GREY = "#aebfce";
const TEAL = "#43c2b6";

/** The parts of the font, each with a name of its own. */
export const FONT_NAMES = {
  latin: "Inter",
  cyrillic: "Inter Cyrillic",
  "latin-ext": "Inter Latin Extended",
  "cyrillic-ext": "Inter Cyrillic Extended",
  greek: "Inter Greek",
  vietnamese: "Inter Vietnamese",
} as const;

type Child = Element | string;
/** An element as satori takes it, made without React. */
type Element = { readonly type: string; readonly key: null; readonly props: Readonly<Record<string, unknown>> };

const box = (style: Record<string, unknown>, ...children: Child[]): Element => ({
  type: "div",
  key: null,
  props: { style: { display: "flex", ...style }, children },
});
/** Lines that are cut off after `lineClamp` of them. */
const text = (style: Record<string, unknown>, content: string): Element => box({ ...style, display: "block" }, content);
const picture = (svg: string, width: number, height: number, style: Record<string, unknown> = {}): Element => ({
  type: "img",
  key: null,
  props: { src: `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`, width, height, style },
});

const COIN = 132;
const LONG_TITLE = 26;
const LONGER_TITLE = 52;

/** The picture of a page: its label, title and lead over the river, and the marks of its coins. `coinSvg` draws one by its ticker. */
export function layoutPicture(
  { label, title, lead, coins }: PictureFacts,
  coinSvg: (ticker: string) => string,
): Element {
  const marks = coins.flatMap((ticker, index) => [
    ...(index > 0 ? [picture(ARROW, 64, 64)] : []),
    picture(coinSvg(ticker), COIN, COIN),
  ]);
  return box(
    {
      width: PICTURE.width,
      height: PICTURE.height,
      backgroundColor: NAVY,
      color: PALE,
      fontFamily: Object.values(FONT_NAMES).join(", "),
    },
    picture(WAVES, PICTURE.width, PICTURE.height, { position: "absolute", left: 0, top: 0 }),
    box(
      { width: 1072, height: 456, margin: "56px 64px", flexDirection: "column", justifyContent: "space-between" },
      box(
        { alignItems: "center", justifyContent: "space-between" },
        box(
          { alignItems: "center", gap: 20, fontSize: 44, fontWeight: 700, letterSpacing: "-1.5px" },
          picture(TILE, 64, 64),
          "Wherry",
        ),
        box({ fontSize: 28, fontWeight: 600, color: TEAL }, label),
      ),
      box(
        { flexDirection: "column", gap: 24 },
        ...(marks.length === 0 ? [] : [box({ alignItems: "center", gap: 28 }, ...marks)]),
        text({ ...titleSize(title), fontWeight: 700, letterSpacing: "-2px", lineClamp: 3 }, title),
        text({ fontSize: 32, lineHeight: 1.35, color: GREY, lineClamp: 2 }, lead),
      ),
    ),
  );
}

const titleSize = (title: string): { fontSize: number; lineHeight: number } =>
  title.length <= LONG_TITLE
    ? { fontSize: 84, lineHeight: 1.08 }
    : { fontSize: title.length <= LONGER_TITLE ? 68 : 56, lineHeight: 1.12 };

const BOAT =
  "M26 6.5c.3 4.8.6 9.6.9 14.4l-14 .1C18.6 18.3 23.5 13.2 26 6.5ZM7.5 24.5h25c-.5 4.9-3.6 8.2-7.4 9.5H14.9c-3.8-1.3-6.9-4.6-7.4-9.5Z";
const TILE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><clipPath id="tile"><rect width="40" height="40" rx="11"/></clipPath><g clip-path="url(#tile)"><rect width="40" height="40" fill="#1b3a5c"/><path d="${BOAT}" fill="${PALE}"/><path d="M0 30.5c2.2-1.7 4.7-1.7 7 0 2.1 1.6 4.4 1.6 6.5 0 2.1-1.7 4.4-1.7 6.5 0 2.1 1.6 4.4 1.6 6.5 0 2.1-1.7 4.4-1.7 6.5 0 2.2 1.6 4.7 1.6 7 0V40H0v-9.5Z" fill="#2da49a"/></g></svg>`;
const ARROW = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="${TEAL}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M4 12h15m-6-6 6 6-6 6"/></svg>`;

const wave = (y: number): string => `M-40 ${y}q40-22 80 0t80 0${" 80 0".repeat(15)}`;
const WAVES = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" fill="none" stroke="${TEAL}" stroke-width="3">${[
  0, 1, 2,
]
  .map((line) => `<path d="${wave(556 + line * 28)}" opacity="${line === 0 ? 1 : 0.55 - line * 0.15}"/>`)
  .join("")}</svg>`;

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";

/** Draws the PNG icons of public/icons, and the preview card of shared pages, from icon.svg; run it by hand when the glyph changes. */
const folder = join(import.meta.dirname, "../public/icons");
const svg = readFileSync(join(folder, "icon.svg"), "utf8");
const NAVY = "#0f2238";
const inter = readFileSync(
  join(import.meta.dirname, "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"),
).toString("base64");

type Icon = { name: string; size: number; isSquare: boolean };

const icons: Icon[] = [
  { name: "icon-48", size: 48, isSquare: false },
  { name: "icon-192", size: 192, isSquare: false },
  { name: "icon-512", size: 512, isSquare: false },
  // Launchers crop these to their own shape; the boat stays inside the inner 80 %.
  { name: "maskable-192", size: 192, isSquare: true },
  { name: "maskable-512", size: 512, isSquare: true },
  { name: "apple-touch-icon", size: 180, isSquare: true },
];

const browser = await chromium.launch({
  executablePath: process.env["CHROME_PATH"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage();
for (const { name, size, isSquare } of icons) {
  const drawing = isSquare ? svg.replace('rx="11"', 'rx="0"') : svg;
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px;background:${isSquare ? NAVY : "none"}}</style>${drawing}`,
  );
  writeFileSync(join(folder, `${name}.png`), await page.screenshot({ omitBackground: true }));
}

// Browsers and crawlers ask for it by its name, whatever the page says. An icon file may hold a PNG as it is.
const favicon = readFileSync(join(folder, "icon-48.png"));
const header = Buffer.alloc(22);
header.writeUInt16LE(1, 2);
header.writeUInt16LE(1, 4);
header.writeUInt8(48, 6);
header.writeUInt8(48, 7);
header.writeUInt16LE(1, 10);
header.writeUInt16LE(32, 12);
header.writeUInt32LE(favicon.length, 14);
header.writeUInt32LE(header.length, 18);
writeFileSync(join(folder, "../favicon.ico"), Buffer.concat([header, favicon]));

// Of the manifest's shortcuts, with the drawings that the app's navigation has.
const drawings = readFileSync(join(import.meta.dirname, "../src/shared/ui/graphics/icon.tsx"), "utf8");
const drawingOf = (name: string): string => {
  const found = new RegExp(`^  ${name}: <path d="([^"]+)"`, "m").exec(drawings)?.[1];
  if (found === undefined) throw new Error(`there is no icon ${name}`);
  return found;
};
// No page of the app shows this one.
const CHART = "M4 4v14a2 2 0 0 0 2 2h14M8 14.500l3.5-4 3 2.500L19 8";
const shortcuts = { exchange: drawingOf("exchange"), orders: drawingOf("receipt"), popular: CHART };
for (const [name, drawing] of Object.entries(shortcuts)) {
  await page.setViewportSize({ width: 96, height: 96 });
  await page.setContent(
    `<style>*{margin:0}body{display:grid;place-content:center;height:96px;background:${NAVY}}</style><svg width="52" height="52" viewBox="0 0 24 24" fill="none" stroke="#f2f7fa" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d="${drawing}"/></svg>`,
  );
  writeFileSync(join(folder, `shortcut-${name}.png`), await page.screenshot());
}

// spec §9: 1200x630, in the colours of the footer.
await page.setViewportSize({ width: 1200, height: 630 });
await page.setContent(
  `<style>*{margin:0}body{display:grid;grid-auto-flow:column;place-content:center;align-items:center;gap:48px;height:630px;background:${NAVY};color:#f2f7fa;font:700 140px/1 system-ui,sans-serif;letter-spacing:-.034em}svg{width:220px;height:220px}</style>${svg}Wherry`,
);
writeFileSync(join(folder, "card.png"), await page.screenshot());

// spec §9: 200x60, the logo that search engines show beside the site's name.
await page.setViewportSize({ width: 200, height: 60 });
await page.setContent(
  `<style>@font-face{font-family:Inter;src:url(data:font/woff2;base64,${inter}) format("woff2");font-weight:100 900}*{margin:0}body{display:grid;grid-auto-flow:column;place-content:center;align-items:center;gap:10px;height:60px;background:#fff;color:#0d1b2a;font:700 32px/1 Inter;letter-spacing:-.034em}svg{display:block;width:44px;height:44px}</style>${svg}Wherry`,
);
await page.evaluate("document.fonts.ready.then(() => null)");
writeFileSync(join(folder, "logo.png"), await page.screenshot());
await browser.close();

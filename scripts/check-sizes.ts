import { join } from "node:path";
import { BUDGETS, circularChunks, firstLoad, SDK_BUDGET, sdkBytes } from "./lib/first-load.ts";
import { root } from "./lib/run.ts";

// The calculator is on both.
const pages = ["src/app/pages/home.tsx", "src/app/pages/exchange.tsx"];
const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(6);

let isOver = false;
console.log(`first load, kB of brotli (budget: JS ${BUDGETS.js / 1000}, CSS ${BUDGETS.css / 1000})`);
for (const page of pages)
  for (const locale of ["en", "ru"]) {
    const { js, css, files } = firstLoad(join(root, "dist/client"), page, locale);
    const over = js > BUDGETS.js || css > BUDGETS.css;
    isOver ||= over;
    console.log(`${page} ${locale}  JS ${kilobytes(js)}  CSS ${kilobytes(css)}${over ? "  over budget" : ""}`);
    if (over) for (const { file, bytes } of files) console.log(`  ${kilobytes(bytes)}  ${file}`);
  }
const sdk = sdkBytes(join(root, "dist/client"));
isOver ||= sdk > SDK_BUDGET;
console.log(`Telegram's SDK  ${kilobytes(sdk)} of ${SDK_BUDGET / 1000}${sdk > SDK_BUDGET ? "  over budget" : ""}`);
const circles = circularChunks(join(root, "dist/client"));
for (const circle of circles) console.log(`chunks import each other: ${circle}`);
process.exitCode = isOver || circles.length > 0 ? 1 : 0;

import { LOCALES } from "#contract/locale.ts";
import { join } from "node:path";
import {
  accountFiles,
  BUDGETS,
  circularChunks,
  EMBED_BUDGETS,
  embedLoad,
  firstLoad,
  messageBytes,
  SDK_BUDGET,
  sdkBytes,
} from "./lib/first-load.ts";
import { root } from "./lib/run.ts";

// The calculator is on both.
const pages = [
  { page: "src/app/pages/home.tsx", namespaces: ["common", "exchange", "home"] },
  { page: "src/app/pages/exchange.tsx", namespaces: ["common", "exchange"] },
];
const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(6);

let isOver = false;
console.log(`first load, kB of brotli (budget: JS ${BUDGETS.js / 1000}, CSS ${BUDGETS.css / 1000})`);
for (const { page, namespaces } of pages)
  for (const locale of LOCALES) {
    const { js, css, files } = firstLoad(join(root, "dist/client"), page);
    // Printed only: they are data inside the HTML, which no script budget counts.
    const messages = messageBytes(join(root, "dist/client"), locale, namespaces);
    const over = js > BUDGETS.js || css > BUDGETS.css;
    isOver ||= over;
    console.log(
      `${page} ${locale}  JS ${kilobytes(js)}  CSS ${kilobytes(css)}  messages in the HTML ${kilobytes(messages)}${over ? "  over budget" : ""}`,
    );
    if (over) for (const { file, bytes } of files) console.log(`  ${kilobytes(bytes)}  ${file}`);
  }
const ofAccounts = pages.flatMap(({ page }) => accountFiles(join(root, "dist/client"), page));
isOver ||= ofAccounts.length > 0;
console.log(`of accounts, in a guest's first load: ${ofAccounts.join(", ") || "nothing"}`);
const sdk = sdkBytes(join(root, "dist/client"));
isOver ||= sdk > SDK_BUDGET;
console.log(`Telegram's SDK  ${kilobytes(sdk)} of ${SDK_BUDGET / 1000}${sdk > SDK_BUDGET ? "  over budget" : ""}`);
const embed = embedLoad(join(root, "dist/client"));
const isEmbedOver = embed.js > EMBED_BUDGETS.js || embed.loader > EMBED_BUDGETS.loader;
isOver ||= isEmbedOver;
console.log(
  `the widget's frame  JS ${kilobytes(embed.js)} of ${EMBED_BUDGETS.js / 1000}  CSS ${kilobytes(embed.css)}  ` +
    `embed.js, not compressed ${kilobytes(embed.loader)} of ${EMBED_BUDGETS.loader / 1000}${isEmbedOver ? "  over budget" : ""}`,
);
if (isEmbedOver) for (const { file, bytes } of embed.files) console.log(`  ${kilobytes(bytes)}  ${file}`);
const circles = circularChunks(join(root, "dist/client"));
for (const circle of circles) console.log(`chunks import each other: ${circle}`);
process.exitCode = isOver || circles.length > 0 ? 1 : 0;

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { VitePWA } from "vite-plugin-pwa";
import { servedEmbedLoader } from "./scripts/vite/embed-loader.ts";
import { buildFiles, workerBuild } from "./scripts/vite/build-files.ts";
import { manifests } from "./scripts/vite/manifests.ts";
import { messages } from "./scripts/vite/messages.ts";
import { oneSpinner } from "./scripts/vite/one-spinner.ts";
import { precompress } from "./scripts/vite/precompress.ts";
import { startNotice } from "./scripts/vite/start-notice.ts";

/** `WORKER=off npm run build` makes a build whose worker removes itself from every device (docs/pwa.md). */
const hasWorker = process.env["WORKER"] !== "off";

/** React and what every page imports with it. Without this file, `base` and `i18n` import each other, which `check:sizes` refuses. */
const VENDOR = /node_modules\/(?:react|react-dom|scheduler|wouter|regexparam|valtio|proxy-compare)\//;
/** A file of its own, so that evaluating it is a task of its own: in one with others the longest took 73 ms, not 59, on a slow phone. */
const I18N =
  /node_modules\/(?:i18next|react-i18next|html-parse-stringify|void-elements)\/|\/src\/shared\/i18n\/(?:create-i18n|index|messages-backend|namespaces)\.ts$|\/contract\/locale\.ts$/;

/** The calculator of the home and the exchange page. Without it a first load of the latter is 120.6 kB of brotli in 15 scripts, not 118.2 in 8. */
const CALCULATOR =
  /\/src\/features\/exchange\/(?:calculator\/(?!amount-presets|exchange-page|home-calculator)|store\/(?:provider|poll|state|amount-draft|selectors)|model\/(?:rate-failure|blockers|calculator-url|fee-rows|kind))|\/src\/app\/pages\/saved-order\.tsx$|\/src\/shared\/format\/amount-input\.ts/;

/** Small modules that nearly every page uses. Without it a first load of the exchange page is 121.1 kB of brotli in 28 scripts, not 118.2 in 8. */
const BASE =
  /\/src\/shared\/(?:ui\/(?:\w+\/)?(?:before-hydration|button|class-names|coin-mark|icon|note|question|screen-reader|segmented-control|skeleton|spinner)|format\/(?!email|amount-input|format-change)|page\/(?!use-in-view)|http\/call-error|browser\/(?:haptics|prefetch|storage|theme)|react\/)|\/contract\/(?:(?:links|site)\/)?(?:address|coin-marks|money|order-path|pair-slug|short-address)\.ts$|\/src\/app\/router\/define-page|\/src\/app\/app\.tsx$|telegram-ui\/dist\/(?:helpers|hooks|components\/(?:Blocks\/(?:Button|IconButton)|Feedback\/Spinner|Navigation\/SegmentedControl|Service|Typography))\/|@swc\/helpers\//;

/** Large, and for a few: the worker keeps them once they were needed. */
const ON_DEMAND = ["telegram-sdk", "qr-polyfill", "receipt-pdf", "password-estimate"].map(
  (name) => `assets/${name}-*.js`,
);
/** Only who chooses a password needs it. */
const PASSWORD_ESTIMATE = /\/node_modules\/(?:@zxcvbn-ts|fastest-levenshtein)\//;
/** Only who saves a receipt needs it. */
const PDF = /\/node_modules\/(?:pdf-lib|@pdf-lib|pako)\/|\/receipt\/pdf\/receipt-pdf\.ts$/;
const TELEGRAM_SDK =
  /\/node_modules\/(?:@telegram-apps\/(?!telegram-ui)|valibot\/|better-promises\/|error-kid\/|mitt\/)/;

/**
 * Our components do nothing when imported, so that a page takes only those that it uses, with their styles. Where they might, a first load of
 * the exchange page is 124.7 kB of scripts and 18.8 of styles, not 118.2 and 16.4.
 */
const isSideEffectFree = (id: string): boolean => /\/(src\/shared|contract)\/.*\.tsx?$/.test(id);

export default defineConfig(({ isSsrBuild }) => ({
  appType: "custom",
  publicDir: isSsrBuild ? false : "public",
  build: {
    outDir: isSsrBuild ? "dist/server" : "dist/client",
    emptyOutDir: true,
    manifest: !isSsrBuild,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      treeshake: { moduleSideEffects: (id: string) => !isSideEffectFree(id) },
      ...(isSsrBuild
        ? {}
        : {
            output: {
              codeSplitting: {
                groups: [
                  { name: "vendor", test: VENDOR },
                  { name: "i18n", test: I18N, includeDependenciesRecursively: false },
                  { name: "base", test: BASE },
                  { name: "telegram-sdk", test: TELEGRAM_SDK, includeDependenciesRecursively: false },
                  { name: "password-estimate", test: PASSWORD_ESTIMATE, includeDependenciesRecursively: false },
                  { name: "receipt-pdf", test: PDF, includeDependenciesRecursively: false },
                  { name: "calculator", test: CALCULATOR, includeDependenciesRecursively: false },
                ],
              },
            },
          }),
    },
  },
  // React has had it since 18; what wouter and SWR bring for older ones would be a half kB of each first load.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: "react" }] },
  // The built renderer needs no node_modules. In development Node loads them, but telegram-ui, whose imports it can't follow.
  ssr: { noExternal: isSsrBuild ? true : ["@telegram-apps/telegram-ui"] },
  // Vite leaves it to the server's environment, where the sandbox runs without NODE_ENV: React would be the slow one.
  define: isSsrBuild
    ? { "process.env.NODE_ENV": JSON.stringify("production") }
    : { "import.meta.env.VITE_WORKER": JSON.stringify(hasWorker ? "on" : "off") },
  plugins: [
    react(),
    oneSpinner(),
    startNotice(),
    servedEmbedLoader(),
    ...(isSsrBuild
      ? []
      : [
          buildFiles({ hasWorker }),
          manifests(),
          messages(),
          VitePWA({
            strategies: "injectManifest",
            registerType: "prompt",
            injectRegister: false,
            srcDir: hasWorker ? "src/pwa/worker" : "src/pwa/worker/kill-switch",
            filename: "sw.ts",
            manifest: false,
            injectManifest: hasWorker
              ? {
                  globPatterns: [
                    "assets/**/*.{js,css}",
                    "assets/messages/**/messages.json",
                    "shell.html",
                    "icons/icon.svg",
                    "icons/coins.svg",
                  ],
                  globIgnores: ON_DEMAND,
                  buildPlugins: { vite: [workerBuild()] },
                }
              : { injectionPoint: "" },
          }),
          precompress(),
        ]),
  ],
}));

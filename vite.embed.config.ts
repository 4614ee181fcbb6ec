import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { embedLoader } from "./scripts/vite/embed-loader.ts";
import { leanLibraries } from "./scripts/vite/lean-libraries.ts";
import { messagesHash } from "./scripts/vite/messages.ts";
import { oneSpinner } from "./scripts/vite/one-spinner.ts";
import { precompress } from "./scripts/vite/precompress.ts";
import { startNotice } from "./scripts/vite/start-notice.ts";

/** What the calculator opens with. Without this file its first load is 106.1 kB of brotli in 34 scripts, not 97.6 in 3. */
const FIRST = /\/src\/app\/embed\/start-embed\.tsx$|\/node_modules\/react-dom\//;

/** Only who saves a receipt needs it. */
const PDF = /\/node_modules\/(?:pdf-lib|@pdf-lib|pako)\/|\/receipt\/pdf\/receipt-pdf\.ts$/;

/** Our components do nothing when imported, so that the widget takes only what it uses. Where they might, it is 103.2 kB of scripts and 16.3 of styles, not 97.6 and 13.6. */
const isSideEffectFree = (id: string): boolean => /\/(?:src\/shared|contract)\/.*\.tsx?$/.test(id);

/**
 * The widget, a build of its own beside the app's (vite.config.ts): other sites load it, and shared files would bring it what only the
 * app's pages need.
 */
export default defineConfig({
  appType: "custom",
  publicDir: false,
  build: {
    outDir: "dist/client",
    emptyOutDir: false,
    assetsDir: "assets/embed",
    manifest: ".vite/embed-manifest.json",
    // The lists of what a later screen imports make the first load 98.5 kB, over its budget of 98.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files, { hostType }) =>
        hostType === "html" ? files : files.filter((file) => file.endsWith(".css")),
    },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: "embed.html",
      treeshake: { moduleSideEffects: (id: string) => !isSideEffectFree(id) },
      output: {
        codeSplitting: {
          groups: [
            { name: "receipt-pdf", test: PDF, priority: 3, includeDependenciesRecursively: false },
            { name: "first", test: FIRST, priority: 2 },
          ],
        },
      },
    },
  },
  plugins: [
    react(),
    oneSpinner(),
    startNotice(),
    leanLibraries(),
    messagesHash(),
    embedLoader(),
    precompress(/^(?:assets\/embed\/|embed\.js$)/),
  ],
});

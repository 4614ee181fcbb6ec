import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { embedLoader } from "./scripts/vite/embed-loader.ts";
import { leanLibraries } from "./scripts/vite/lean-libraries.ts";
import { messagesHash } from "./scripts/vite/messages.ts";
import { oneSpinner } from "./scripts/vite/one-spinner.ts";
import { precompress } from "./scripts/vite/precompress.ts";
import { startNotice } from "./scripts/vite/start-notice.ts";

/** What the calculator opens with, in one file: each file costs a request, and several compress worse. */
const FIRST = /\/src\/app\/embed\/start-embed\.tsx$|\/node_modules\/react-dom\//;

/** Only who saves a receipt needs it. */
const PDF = /\/node_modules\/(?:pdf-lib|@pdf-lib|pako)\/|\/receipt\/pdf\/receipt-pdf\.ts$/;

/** Our components do nothing when imported: the widget takes only what it uses. */
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
    // The lists of what a later screen imports would be longer than what they save.
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

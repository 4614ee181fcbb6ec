import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { VitePWA } from "vite-plugin-pwa";
import { buildFiles } from "./scripts/vite/build-files.ts";
import { manifests } from "./scripts/vite/manifests.ts";
import { precompress } from "./scripts/vite/precompress.ts";
import { workerBuild } from "./scripts/vite/worker-build.ts";

/** `WORKER=off npm run build` makes a build whose worker removes itself from every device (docs/pwa.md). */
const hasWorker = process.env["WORKER"] !== "off";

/** What every page needs at once, in one file: fewer requests on a phone's first visit. */
const VENDOR =
  /node_modules\/(?:react|react-dom|scheduler|wouter|regexparam|use-sync-external-store|valtio|proxy-compare)\//;

/** The words of a language, in a folder of their own because they are kept for another time (spec §9). */
const MESSAGES = /\/src\/shared\/i18n\/(?:en|ru)(?:-\w+)?\.ts$/;
const chunkName = ({ facadeModuleId }: { facadeModuleId?: string | null }): string =>
  MESSAGES.test(facadeModuleId ?? "") ? "assets/messages/[name]-[hash].js" : "assets/[name]-[hash].js";

/** Small things that nearly every page shows, in one file: each file costs a request and packs worse than a part of another. */
const BASE =
  /src\/shared\/(?:ui\/(?:coin-mark|skeleton|screen-reader)|format\/|page\/page|i18n\/locale)|contract\/pair-slug/;

/** Large, and for a few: the worker keeps them once they were needed. */
const ON_DEMAND = ["assets/sdk-*.js", "assets/qr-polyfill-*.js"];

/** Our components do nothing when imported, so that a page takes only those that it uses, with their styles. */
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
              chunkFileNames: chunkName,
              codeSplitting: {
                groups: [
                  { name: "vendor", test: VENDOR },
                  { name: "base", test: BASE, includeDependenciesRecursively: false },
                ],
              },
            },
          }),
    },
  },
  // The built renderer needs no node_modules. In development Node loads them, but telegram-ui, whose imports it can't follow.
  ssr: { noExternal: isSsrBuild ? true : ["@telegram-apps/telegram-ui"] },
  // Vite leaves it to the server's environment, where the sandbox runs without NODE_ENV: React would be the slow one.
  define: isSsrBuild ? { "process.env.NODE_ENV": JSON.stringify("production") } : {},
  plugins: [
    react(),
    ...(isSsrBuild
      ? []
      : [
          buildFiles({ hasWorker }),
          manifests(),
          VitePWA({
            strategies: "injectManifest",
            registerType: "prompt",
            injectRegister: false,
            srcDir: hasWorker ? "src/pwa/worker" : "src/pwa/worker/retired",
            filename: "sw.ts",
            manifest: false,
            injectManifest: hasWorker
              ? {
                  globPatterns: ["assets/**/*.{js,css}", "shell.html", "icons/icon.svg", "icons/coins.svg"],
                  globIgnores: ON_DEMAND,
                  buildPlugins: { vite: [workerBuild()] },
                }
              : { injectionPoint: "" },
          }),
          precompress(),
        ]),
  ],
}));

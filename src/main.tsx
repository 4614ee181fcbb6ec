import { startTransition, StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { DEFAULT_SITE_SETTINGS } from "#contract/site-settings.ts";
import { App } from "./app/app.tsx";
import { followVisits, trackPage, trackStep } from "./app/follow-visits.ts";
import { browserWorld } from "./app/router/browser-world.ts";
import { preloadUpdateToast } from "./app/layout/update-notice.tsx";
import { type PageData, readPageData } from "./app/router/page-data.ts";
import {
  type Address,
  addressKey,
  openParts,
  openRoute,
  parseAddress,
  resolve,
  type Shown,
} from "./app/router/resolve.ts";
import { matchRoute } from "./app/router/route-table.ts";
import { showHead } from "./app/head/show-head.ts";
import type { Visit } from "./app/router/use-visit.ts";
import { loadMessages } from "./shared/i18n/messages.ts";
import { createTranslator, type Translator } from "./shared/i18n/translator.ts";
import { isInMessenger } from "./telegram/sdk/shell.ts";
import { startPwa } from "./pwa/start.ts";
import { followTheme } from "./shared/browser/theme.ts";

async function start(): Promise<void> {
  followTheme();
  const data = readPageData();
  const address = parseAddress(location.pathname + location.search);
  const { locale, path, query } = address;
  const words = createTranslator(locale, {});
  const [messages, shown] = await Promise.all([
    loadMessages(locale, "shared"),
    data === null ? open(words) : restore(address, data, words),
  ]);
  words.add(messages);
  if (shown === null) return;
  const first: Visit = {
    shown,
    path,
    key: addressKey(address),
    now: data?.now ?? new Date().toISOString(),
    isSandbox: data?.isSandbox ?? false,
    settings: data?.settings ?? DEFAULT_SITE_SETTINGS,
    health: data?.health ?? "OK",
    shownHeaders: data?.shownHeaders ?? null,
  };
  const app = (
    <StrictMode>
      <App words={words} first={first} />
    </StrictMode>
  );
  const root = rootElement();
  if (data === null) {
    document.documentElement.lang = locale;
    void showHead({ shown, words, path, query, origin: location.origin });
    createRoot(root).render(app);
    // In slices, or a phone's first touch would wait for the whole page.
  } else startTransition(() => void hydrateRoot(root, app));
  startPwa(preloadUpdateToast);
  if (isInMessenger()) void import("./telegram/shell/launch.ts").then(({ launch }) => launch(words));
  if (query.get("link") === "unknown")
    void import("./app/router/unknown-link.ts").then(({ tellUnknownLink }) => tellUnknownLink(words));
  await followVisits(first.settings);
  trackPage(first.shown, locale);
  trackStep(location.search, locale);
}

/** What the server has rendered, with its page's code. */
async function restore({ path, query }: Address, { outcome }: PageData, words: Translator): Promise<Shown> {
  if (outcome.kind !== "page") return outcome;
  const match = matchRoute(path);
  if (match === null) throw new Error(`no page at ${path}, though the server has rendered one`);
  const module = await openRoute(match.route, words);
  await openParts(module, words, query, outcome.data);
  return { ...outcome, ...match, module };
}

/** Without a network the shell comes instead of a page: this renders what the device has. Null when it moves on. */
async function open(words: Translator): Promise<Shown | null> {
  const asked = location.pathname + location.search + location.hash;
  const outcome = await resolve(asked, browserWorld(words, DEFAULT_SITE_SETTINGS));
  if (outcome.kind !== "redirect") return outcome;
  location.replace(outcome.to);
  return null;
}

function rootElement(): HTMLElement {
  const root = document.getElementById("root");
  if (root === null) throw new Error("the page has no #root");
  return root;
}

void start();

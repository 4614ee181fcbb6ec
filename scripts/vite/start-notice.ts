import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { LOCALES } from "#contract/locale.ts";

type Texts = Readonly<Record<"title" | "text" | "reload", string>>;

/** In the page itself, in each language: what failed to load may be what would bring it. A template is neither drawn nor indexed. */
const noticeOf = (locale: string, { title, text, reload }: Texts): string =>
  `<template class="w-start-notices" lang="${locale}"><div class="w-start-notice" role="alert"><div class="w-start-notice__text">` +
  `<p class="w-start-notice__title">${title}</p><p>${text}</p></div>` +
  `<button class="w-start-notice__reload" type="button">${reload}</button></div></template>`;

/**
 * Puts the notice above the page, which stays as the server rendered it: on `start-failed`, an event of the app's and of its
 * loader (server/site/deferred-scripts.ts), and where the shell's own script doesn't come.
 */
const SCRIPT = `(() => {
  const show = () => {
    const notices = [...document.querySelectorAll(".w-start-notices")];
    const { content } = notices.find(({ lang }) => lang === document.documentElement.lang) ?? notices[0];
    const notice = content.firstElementChild;
    if (notice === null) return;
    notice.querySelector("button").addEventListener("click", () => location.reload());
    document.body.prepend(notice);
  };
  addEventListener("start-failed", show);
  addEventListener("error", ({ target }) => target.matches?.('script[type="module"][src^="/"]') && show(), true);
})();`.replace(/\n\s*/g, "\n");

/** Adds to a page what says that its first load has failed, with a button that reloads it. */
export const startNotice = (): Plugin => ({
  name: "wherry:start-notice",
  transformIndexHtml: {
    order: "pre",
    handler(html) {
      const notices = LOCALES.map((locale) =>
        noticeOf(locale, JSON.parse(readFileSync(join("locales", locale, "start.json"), "utf8")) as Texts),
      );
      return html.replace("<!--data-->", () => `${notices.join("")}<script>${SCRIPT}</script><!--data-->`);
    },
  },
});

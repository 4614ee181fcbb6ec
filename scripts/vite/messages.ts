import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { LOCALES } from "#contract/locale.ts";
import { NAMESPACES } from "../../src/shared/i18n/namespaces.ts";

const URL_PATTERN = /^\/assets\/messages\/[^/]+\/(\w+)\/messages\.json$/;

const messagesOf = (locale: string): string =>
  JSON.stringify(
    Object.fromEntries(
      NAMESPACES.map((namespace) => [
        namespace,
        JSON.parse(readFileSync(`locales/${locale}/${namespace}.json`, "utf8")),
      ]),
    ),
  );

function readMessages() {
  const sources = LOCALES.map((locale) => ({ locale, source: messagesOf(locale) }));
  return { sources, hash: createHash("sha256").update(JSON.stringify(sources)).digest("hex").slice(0, 8) };
}

const define = (hash: string) => ({ define: { "import.meta.env.VITE_MESSAGES_HASH": JSON.stringify(hash) } });

/** For a build that reads what `messages` wrote in another one of the same sources. */
export const messagesHash = (): Plugin => ({ name: "wherry:messages-hash", config: () => define(readMessages().hash) });

/** Writes `messages.json` of each locale under a hash of all of them, which the app knows as `VITE_MESSAGES_HASH`. */
export function messages(): Plugin {
  const { sources, hash } = readMessages();
  return {
    name: "wherry:messages",
    config: () => define(hash),
    generateBundle() {
      for (const { locale, source } of sources)
        this.emitFile({ type: "asset", fileName: `assets/messages/${hash}/${locale}/messages.json`, source });
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const locale = LOCALES.find((name) => name === URL_PATTERN.exec(request.url ?? "")?.[1]);
        if (locale === undefined) return next();
        response.setHeader("content-type", "application/json");
        response.end(messagesOf(locale));
      });
    },
  };
}

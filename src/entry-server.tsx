import { renderToString } from "react-dom/server";
import type { Api, Rendered, RenderRequest } from "#contract/ssr.ts";
import { App } from "./app/app.tsx";
import { describeFailure } from "./app/failure.ts";
import { headTags, renderHead } from "./app/head.ts";
import { type PageData, writePageData } from "./app/page-data.ts";
import { addressKey, parseAddress, resolve, type Shown } from "./app/resolve.ts";
import { readAnswer } from "./lib/answer.ts";
import { loadMessages, messagesModule } from "./lib/i18n/messages.ts";
import { createTranslator } from "./lib/i18n/translator.ts";
import { type Locale, localePath } from "./lib/locale.ts";

/** Renders one address to HTML with its true status; see contract/ssr.ts. */
export async function render(request: RenderRequest): Promise<Rendered> {
  const address = parseAddress(request.url);
  const { locale, path } = address;
  const words = createTranslator(locale, await loadMessages(locale, "shared"));
  const outcome = await resolve(address, inProcess(request), words);
  if (outcome.kind === "redirect") return { redirect: localePath(locale, outcome.to), status: 302 };

  const { now, isSandbox, origin } = request;
  const shown = withoutSecrets(outcome);
  const [ssrPath = "/", ssrSearch = ""] = request.url.split("?", 2);
  const first = { shown, path, key: addressKey(address), now, isSandbox };
  const html = renderToString(<App words={words} first={first} ssrPath={ssrPath} ssrSearch={ssrSearch} />);
  return {
    status: statusOf(shown),
    lang: locale,
    head: renderHead(headTags({ shown, words, path, origin })),
    html,
    data: writePageData({ now, isSandbox, outcome: outcomeData(shown) }),
    preload: modulesOf(locale, shown),
    ...(outcome.kind === "failed" ? { failure: outcome.error } : {}),
  };
}

function modulesOf(locale: Locale, shown: Shown): string[] {
  const shared = messagesModule(locale, "shared");
  if (shown.kind !== "page") return [shared];
  const { module, words } = shown.route;
  return [shared, module, ...words.map((part) => messagesModule(locale, part))];
}

function inProcess({ api }: RenderRequest): Api {
  return {
    async call(name, ...[input]) {
      const { httpStatus, body } = await api(name, input ?? {});
      return readAnswer(name, httpStatus, body);
    },
  };
}

/** A failure's cause stays on the server. */
const withoutSecrets = (shown: Shown): Shown =>
  shown.kind === "failed" ? { kind: "failed", error: describeFailure(shown.error) } : shown;

function statusOf(shown: Shown): 200 | 404 | 500 {
  if (shown.kind === "page") return shown.status;
  return shown.kind === "notFound" ? 404 : 500;
}

function outcomeData(shown: Shown): PageData["outcome"] {
  if (shown.kind === "page") return { kind: "page", status: shown.status, data: shown.data };
  return shown.kind === "notFound" ? shown : { kind: "failed", error: describeFailure(shown.error) };
}

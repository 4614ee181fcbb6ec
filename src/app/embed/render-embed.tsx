import { renderToString } from "react-dom/server";
import type { RenderRequest, Rendered } from "#contract/site/ssr.ts";
import { accentStyle } from "../../features/widget/model/accent.ts";
import { readWidgetQuery } from "../../features/widget/model/widget-settings.ts";
import { allMessages } from "../../shared/i18n/all-messages.ts";
import { createI18n, usedMessages } from "../../shared/i18n/create-i18n.ts";
import { inProcessApi } from "../router/server-context.ts";
import { writePageData } from "../router/page-data.ts";
import { EmbedApp } from "./embed-app.tsx";
import type { EmbedData } from "./embed-data.ts";
import { loadEmbed } from "./load-embed.ts";

/** `/embed` (contract §14): no guard runs, no cookie is set, nobody is signed in. */
export async function renderEmbed(request: RenderRequest): Promise<Rendered> {
  const { now, isSandbox, settings } = request;
  const widget = readWidgetQuery(new URLSearchParams(request.url.replace(/^[^?]*/, "")));
  const api = inProcessApi(request);
  const i18n = createI18n(widget.lang, allMessages(widget.lang));
  const { calculator, failure } = await loadOrFailure(() => loadEmbed(widget, api));
  const data = { now, isSandbox, settings, widget, calculator };
  const html = request.isStatusOnly ? "" : renderToString(<EmbedApp i18n={i18n} data={data} api={api} parent={null} />);
  const messages = usedMessages(i18n, ["embed", "exchange"]);
  return {
    status: calculator === null ? 503 : 200,
    lang: widget.lang,
    head: `<title>Wherry</title>${widget.accent === null ? "" : `<style>${accentStyle(widget.accent)}</style>`}`,
    html,
    data: writePageData({ ...data, messages } satisfies EmbedData),
    preload: [],
    isErrorPage: false,
    cookies: [],
    ...(failure === undefined ? {} : { failure }),
  };
}

/** A widget whose rates can't be loaded says so itself, and offers to try again. */
async function loadOrFailure<Data>(load: () => Promise<Data>): Promise<{ calculator: Data | null; failure?: unknown }> {
  try {
    return { calculator: await load() };
  } catch (failure) {
    return { calculator: null, failure };
  }
}

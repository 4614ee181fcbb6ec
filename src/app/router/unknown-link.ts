import { loadMessages } from "../../shared/i18n/messages.ts";
import type { Translator } from "../../shared/i18n/translator.ts";
import { notify } from "../../shared/page/notifications.ts";

/** Says once that a link of the messenger led nowhere, and takes the mark of it out of the address (contract §5). */
export async function tellUnknownLink(words: Translator): Promise<void> {
  const url = new URL(location.href);
  url.searchParams.delete("link");
  history.replaceState(history.state, "", url);
  words.add(await loadMessages(words.locale, "messenger"));
  notify({ type: "error", message: words.of("messenger")("unknownLink") });
}

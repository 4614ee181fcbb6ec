import type { TelegramClient } from "../telegram-client.ts";

/** Links that lead out of the app are opened by the client, in the press itself: a web view would be left by them, or show nothing. */
export function followLinks(telegram: Pick<TelegramClient, "openLink">): void {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || !(event.target instanceof Element)) return;
    const link = event.target.closest<HTMLAnchorElement>("a[href]");
    if (link !== null && leadsOut(link.href) && telegram.openLink(link.href)) event.preventDefault();
  });
}

const leadsOut = (address: string): boolean => {
  const { origin, protocol } = new URL(address);
  return /^https?:$/.test(protocol) && origin !== location.origin;
};

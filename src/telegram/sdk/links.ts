import type { Client } from "./client.ts";
import type { TelegramClient } from "../telegram-client.ts";

const OWN = /^https:\/\/t\.me\/(.+)$/;

/** Ways out of the app that don't end it, each from a press. */
export function linksOf(client: Client): Pick<TelegramClient, "openLink" | "shareLink"> {
  const openOwn = (path_full: string) => client.tell("web_app_open_tg_link", { path_full });
  return {
    openLink(url) {
      const path = OWN.exec(url)?.[1];
      return (path !== undefined && openOwn(`/${path}`)) || client.tell("web_app_open_link", { url });
    },
    // Clients read a plus as a plus.
    shareLink: (url, text) => openOwn(`/share/url?${new URLSearchParams({ url, text })}`.replaceAll("+", "%20")),
  };
}

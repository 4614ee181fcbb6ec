import type { Client } from "./client.ts";
import type { TelegramClient } from "../telegram-client.ts";

/** The client's colours around the page; before 6.9 its header takes one of its own two alone. */
export const barsOf = (client: Client): Pick<TelegramClient, "setBars"> => ({
  setBars({ header, background, bottom }) {
    if (client.can("web_app_set_header_color", "color")) client.tell("web_app_set_header_color", { color: header });
    else client.tell("web_app_set_header_color", { color_key: "bg_color" });
    client.tell("web_app_set_background_color", { color: background });
    client.tell("web_app_set_bottom_bar_color", { color: bottom });
  },
});

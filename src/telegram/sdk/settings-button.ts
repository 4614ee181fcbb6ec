import type { Client } from "./client.ts";
import type { TelegramClient } from "../telegram-client.ts";

/** The entry "Settings" of the client's own menu (6.10). */
export const settingsButtonOf = (client: Client): Pick<TelegramClient, "onSettings"> => ({
  onSettings(open) {
    client.on("settings_button_pressed", open);
    client.tell("web_app_setup_settings_button", { is_visible: true });
  },
});

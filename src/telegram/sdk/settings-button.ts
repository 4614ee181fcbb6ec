import type { Client } from "./client.ts";
import type { Messenger } from "./port.ts";

/** The entry "Settings" of the client's own menu (6.10). */
export const settingsButtonOf = (client: Client): Pick<Messenger, "onSettings"> => ({
  onSettings(open) {
    client.on("settings_button_pressed", open);
    client.tell("web_app_setup_settings_button", { is_visible: true });
  },
});

import type { Client } from "./client.ts";
import type { TelegramClient } from "../telegram-client.ts";

/** What one of the client's own buttons shows. */
export type NativeButton = { readonly text: string; readonly isEnabled: boolean; readonly isBusy: boolean };

const METHODS = { main: "web_app_setup_main_button", secondary: "web_app_setup_secondary_button" } as const;
const EVENTS = { main: "main_button_pressed", secondary: "secondary_button_pressed" } as const;

/** The client's buttons under the page; their colours are its own (ui.md §1, guard). */
export function buttonsOf(client: Client): Pick<TelegramClient, "setButton" | "onButton"> {
  return {
    setButton(which, button) {
      // Some clients crash at an empty text.
      if (button === null || button.text === "") return client.tell(METHODS[which], { is_visible: false });
      return client.tell(METHODS[which], {
        is_visible: true,
        text: button.text,
        is_active: button.isEnabled && !button.isBusy,
        is_progress_visible: button.isBusy,
        // Above the main one, as on the page it stands below.
        ...(which === "secondary" ? { position: "bottom" } : {}),
      });
    },
    onButton: (which, press) => client.on(EVENTS[which], press),
  };
}

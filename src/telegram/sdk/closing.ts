import type { Client } from "./client.ts";
import type { TelegramClient } from "../telegram-client.ts";

/** The ways out of the app that the client guards. */
export const closingOf = (client: Client): Pick<TelegramClient, "confirmClosing" | "allowSwipes" | "close"> => ({
  confirmClosing: (isOn) => void client.tell("web_app_setup_closing_behavior", { need_confirmation: isOn }),
  allowSwipes: (areAllowed) => void client.tell("web_app_setup_swipe_behavior", { allow_vertical_swipe: areAllowed }),
  close: () => void client.tell("web_app_close", {}),
});

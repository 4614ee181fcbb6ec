import { askingBy } from "./asking.ts";
import type { Client } from "./client.ts";
import type { TelegramClient } from "../telegram-client.ts";

const LIMIT_MS = 3_000;

/** The app on the device's home screen (8.0). */
export function homeScreenOf(client: Client): Pick<TelegramClient, "canAddToHomeScreen" | "addToHomeScreen"> {
  const ask = askingBy(client, "home_screen_checked");
  return {
    async canAddToHomeScreen() {
      const answer = await ask({ post: () => client.tell("web_app_check_home_screen"), limitMs: LIMIT_MS });
      const status = typeof answer === "string" ? "unsupported" : answer.payload.status;
      return status === "missed" || status === "unknown";
    },
    addToHomeScreen: () => void client.tell("web_app_add_to_home_screen"),
  };
}

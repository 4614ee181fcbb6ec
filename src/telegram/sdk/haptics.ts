import type { Haptic } from "../../shared/browser/haptics.ts";
import type { MethodParams } from "@telegram-apps/sdk-react";
import type { Client } from "./client.ts";
import type { TelegramClient } from "../telegram-client.ts";

type Touch = MethodParams<"web_app_trigger_haptic_feedback">;

const TOUCHES: Record<Haptic, Touch> = {
  copy: { type: "impact", impact_style: "light" },
  swap: { type: "impact", impact_style: "light" },
  completed: { type: "notification", notification_type: "success" },
  warning: { type: "notification", notification_type: "warning" },
  failed: { type: "notification", notification_type: "error" },
};

export const hapticsOf = (client: Client): Pick<TelegramClient, "playHaptic"> => ({
  playHaptic: (feeling) => void client.tell("web_app_trigger_haptic_feedback", TOUCHES[feeling]),
});

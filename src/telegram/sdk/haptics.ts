import type { MethodParams } from "@telegram-apps/sdk-react";
import type { Client } from "./client.ts";
import type { Messenger } from "./port.ts";

/** What is felt; nothing else vibrates (ui.md §4). */
export type Feeling = "copy" | "swap" | "completed" | "warning" | "failed";

type Touch = MethodParams<"web_app_trigger_haptic_feedback">;

const TOUCHES: Record<Feeling, Touch> = {
  copy: { type: "impact", impact_style: "light" },
  swap: { type: "impact", impact_style: "light" },
  completed: { type: "notification", notification_type: "success" },
  warning: { type: "notification", notification_type: "warning" },
  failed: { type: "notification", notification_type: "error" },
};

export const hapticsOf = (client: Client): Pick<Messenger, "feel"> => ({
  feel: (feeling) => void client.tell("web_app_trigger_haptic_feedback", TOUCHES[feeling]),
});

export { openPushKeys } from "./keys.ts";
export { createPushSender } from "./sender.ts";
export { createPushSubscriptions } from "./subscriptions.ts";

import type { Messages } from "./messages.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: Messages;
    returnNull: false;
  }
}

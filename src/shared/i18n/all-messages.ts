/// <reference types="vite/client" />
import type { Messages } from "./create-i18n.ts";
import { type Locale } from "#contract/locale.ts";
import { NAMESPACES } from "./namespaces.ts";

const files = import.meta.glob<object>("../../../locales/*/*.json", { eager: true, import: "default" });

/** Every message of one locale, for the server and for tests: no module of the browser may import this. */
export const allMessages = (locale: Locale): Messages =>
  Object.fromEntries(
    NAMESPACES.map((namespace) => [namespace, files[`../../../locales/${locale}/${namespace}.json`]]),
  ) as Messages;

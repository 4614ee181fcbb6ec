import { type I18n, localeOf } from "./create-i18n.ts";
import { type Namespace, NAMESPACES } from "./namespaces.ts";

/** Loads all messages of the instance's locale, which come in one file, unless it has these namespaces already. */
export async function loadMessages(i18n: I18n, namespaces: readonly Namespace[]): Promise<void> {
  if (namespaces.every((namespace) => i18n.hasResourceBundle(localeOf(i18n), namespace))) return;
  await new Promise<void>((resolve, reject) => {
    const finish = (errors?: readonly Error[]) => (errors?.[0] === undefined ? resolve() : reject(errors[0]));
    void i18n.loadNamespaces(NAMESPACES, finish);
  });
}

import { createInstance, type CustomTypeOptions, type i18n, type TFunction } from "i18next";
import type { Locale } from "#contract/locale.ts";
import enBot from "../../locales/en/bot.json" with { type: "json" };
import enFeeds from "../../locales/en/feeds.json" with { type: "json" };
import enMail from "../../locales/en/mail.json" with { type: "json" };
import enPictures from "../../locales/en/pictures.json" with { type: "json" };
import enPush from "../../locales/en/push.json" with { type: "json" };
import ruBot from "../../locales/ru/bot.json" with { type: "json" };
import ruFeeds from "../../locales/ru/feeds.json" with { type: "json" };
import ruMail from "../../locales/ru/mail.json" with { type: "json" };
import ruPictures from "../../locales/ru/pictures.json" with { type: "json" };
import ruPush from "../../locales/ru/push.json" with { type: "json" };

/** The namespaces of messages that the server writes itself; pages have the app's own (`src/shared/i18n`). */
type ServerNamespace = "bot" | "feeds" | "mail" | "pictures" | "push";
type Messages = Pick<CustomTypeOptions["resources"], ServerNamespace>;

/** One instance per locale, whose language never changes: messages written at the same time can't mix languages. */
const instances: Readonly<Record<Locale, i18n>> = {
  en: create("en", { bot: enBot, feeds: enFeeds, mail: enMail, pictures: enPictures, push: enPush }),
  ru: create("ru", { bot: ruBot, feeds: ruFeeds, mail: ruMail, pictures: ruPictures, push: ruPush }),
};

/** The `t` of a namespace in one language. It returns plain text, which HTML must escape, and throws for a missing key or value. */
export const fixedT = <Name extends ServerNamespace>(locale: Locale, namespace: Name): TFunction<Name> =>
  instances[locale].getFixedT(locale, namespace);

function create(locale: Locale, messages: Messages): i18n {
  const instance = createInstance();
  void instance.init({
    lng: locale,
    fallbackLng: false,
    // Without a backend the instance is ready when `init` returns.
    initAsync: false,
    interpolation: { escapeValue: false },
    // A message with a missing value is not sent.
    saveMissing: true,
    missingKeyHandler: (_, namespace, key) => {
      throw new Error(`no message for ${namespace}:${key} in ${locale}`);
    },
    missingInterpolationHandler: (text: string, [hole]: RegExpExecArray) => {
      throw new Error(`${hole} has no value in "${text}"`);
    },
    resources: { [locale]: messages },
  });
  return instance;
}

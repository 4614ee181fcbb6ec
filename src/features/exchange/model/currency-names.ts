import type { Instrument } from "#contract/instrument.ts";

const CATALOGUE_LOCALE = "en";

/**
 * Currencies of states under the names that readers of a language know, such as `Доллар США`; the catalogue's are English. Those that
 * the browser doesn't know keep theirs.
 */
export function withLocalNames(instruments: readonly Instrument[], locale: string): readonly Instrument[] {
  if (locale === CATALOGUE_LOCALE) return instruments;
  const names = new Intl.DisplayNames(locale, { type: "currency", fallback: "none" });
  return instruments.map((instrument) => {
    const name = /^[A-Z]{3}$/.test(instrument.currencyTitle) ? names.of(instrument.currencyTitle) : undefined;
    return name === undefined
      ? instrument
      : { ...instrument, currencyFriendlyTitle: name.charAt(0).toUpperCase() + name.slice(1) };
  });
}

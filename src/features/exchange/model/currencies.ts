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

/** Where each currency is the money of everyday life. */
const COUNTRIES: Readonly<Record<string, string>> = {
  USD: "US PR EC SV PA",
  EUR: "AT BE BG HR CY EE FI FR DE GR IE IT LV LT LU MT NL PT SK SI ES AD MC ME SM VA XK",
};

/** The countries of a currency in the reader's language and its English name, in lower case: people look for either. */
export function countryNames(locale: string): (instrument: Instrument) => readonly string[] {
  const names = new Intl.DisplayNames(locale, { type: "region" });
  const english = new Intl.DisplayNames("en", { type: "currency" });
  return ({ currencyTitle }) => {
    const countries = COUNTRIES[currencyTitle];
    if (countries === undefined) return [];
    const found = countries.split(" ").map((code) => names.of(code) ?? code);
    return [...found, english.of(currencyTitle) ?? currencyTitle].map((name) => name.toLowerCase());
  };
}

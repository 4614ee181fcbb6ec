import type { Instrument } from "#contract/instrument.ts";

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

import type { Instrument } from "#contract/instrument.ts";

/** Where each currency is the money of everyday life. */
const COUNTRIES: Readonly<Record<string, string>> = {
  USD: "US PR EC SV PA",
  EUR: "AT BE BG HR CY EE FI FR DE GR IE IT LV LT LU MT NL PT SK SI ES AD MC ME SM VA XK",
};

/** The countries of a currency in the reader's language, in lower case: people look for theirs. */
export function countryNames(locale: string): (instrument: Instrument) => readonly string[] {
  const names = new Intl.DisplayNames(locale, { type: "region" });
  return ({ currencyTitle }) =>
    (COUNTRIES[currencyTitle] ?? "")
      .split(" ")
      .filter(Boolean)
      .map((code) => (names.of(code) ?? code).toLowerCase());
}

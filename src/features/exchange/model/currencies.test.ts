import { expect, it } from "vitest";
import { sampleInstrument } from "../testing/samples.ts";
import { withLocalNames } from "./currencies.ts";

const USD = sampleInstrument("usd", { currencyTitle: "USD", currencyFriendlyTitle: "US dollar" });
const OTHER = sampleInstrument("other", { currencyTitle: "XQQ", currencyFriendlyTitle: "Other" });
const namesIn = (locale: string) =>
  withLocalNames([USD, OTHER], locale).map(({ currencyFriendlyTitle }) => currencyFriendlyTitle);

it("a currency has the name that readers of a language know", () => {
  expect(namesIn("ru")).toEqual(["Доллар США", "Other"]);
  expect(namesIn("en")).toEqual(["US dollar", "Other"]);
});

import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { describe, expect, it } from "vitest";
import { createI18n } from "../../../shared/i18n/create-i18n.ts";
import { formatMedian } from "./median.ts";

const t = createI18n("en", allMessages("en")).getFixedT(null, "common");

describe("a median time", () => {
  it.each([
    [0, "0 s"],
    [2.802, "3 s"],
    [59.1, "1 min"],
    [60, "1 min"],
    [400, "6 min 40 s"],
    [3_599.5, "1 h"],
    [3_601, "1 h 1 min"],
    [4_560, "1 h 16 min"],
  ])("of %d s is %s", (seconds, shown) => expect(formatMedian(t, seconds)).toBe(shown));
});

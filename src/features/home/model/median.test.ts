import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { describe, expect, it } from "vitest";
import { createI18n } from "../../../shared/i18n/create-i18n.ts";
import { formatMedian } from "./median.ts";

const t = createI18n("en", allMessages("en")).getFixedT(null, "common");

describe("a median time", () => {
  it.each([
    [0, "0\u00A0s"],
    [2.802, "3\u00A0s"],
    [59.1, "1\u00A0min"],
    [60, "1\u00A0min"],
    [400, "6\u00A0min 40\u00A0s"],
    [3_599.5, "1\u00A0h"],
    [3_601, "1\u00A0h 1\u00A0min"],
    [4_560, "1\u00A0h 16\u00A0min"],
  ])("of %d s is %s", (seconds, shown) => expect(formatMedian(t, seconds)).toBe(shown));
});

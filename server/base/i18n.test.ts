import { describe, expect, it } from "vitest";
import { fixedT } from "./i18n.ts";

type AnyT = (key: string, values?: object) => string;
const mail = fixedT("en", "mail") as unknown as AnyT;

describe("the server's messages", () => {
  it.each([
    [1, "После 1 подтверждения отправим"],
    [2, "После 2 подтверждений отправим"],
    [5, "После 5 подтверждений отправим"],
    [21, "После 21 подтверждения отправим"],
  ])("have the Russian plural form of %d", (count, text) =>
    expect(fixedT("ru", "mail")("text.deposit_seen", { received: "1 BTC", count })).toContain(text),
  );

  it("take values that look like markup, a placeholder or a reference to a message as they are", () => {
    expect(mail("transaction", { txId: "<b>$& {{txId}} {{- txId}} $t(open)" })).toBe(
      "Transaction: <b>$& {{txId}} {{- txId}} $t(open)",
    );
  });

  it("throw for a missing message or value, so that nothing incomplete is sent", () => {
    expect(() => mail("text.nothing")).toThrow("no message for mail:text.nothing in en");
    expect(() => mail("transaction", {})).toThrow("{{txId}} has no value");
  });
});

import { expect, it } from "vitest";
import { LOCALES } from "#contract/locale.ts";
import { allMessages } from "../i18n/all-messages.ts";
import { createI18n } from "../i18n/create-i18n.ts";
import { render } from "../testing/render.tsx";
import { TermsLink } from "./terms-link.tsx";

const SENTENCES = ["account:register.termsLink", "exchange:destination.termsLink"] as const;

it.each(SENTENCES)("links each of the three pages inside the sentence of %s", async (key) => {
  for (const locale of LOCALES) {
    const sentence = createI18n(locale, allMessages(locale)).t(key);
    const { container } = await render(<TermsLink>{sentence}</TermsLink>);
    const links = [...container.querySelectorAll("a")];
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/terms", "/privacy", "/aml"]);
    expect(container.textContent).toBe(sentence.replaceAll(/<\/?\w+>/g, ""));
    // In the middle of a sentence no name begins with a capital, but for what is one.
    expect(links.every(({ textContent }) => /^\p{Ll}/u.test(textContent))).toBe(true);
  }
});

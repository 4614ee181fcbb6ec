import type { AuthorityBody, ContactBody } from "#contract/site/inquiries.ts";
import { fixedT } from "../../base/i18n.ts";
import { bodiesOf } from "../mail/mail-body.ts";
import type { CheckedFile } from "./file.ts";
import type { InquiryMail } from "./store.ts";

/** The mail of the contact form, in its sender's language: whoever answers needs that one anyway. */
export function writeContactMail(
  to: string,
  number: string,
  { email, reference, message, locale }: ContactBody,
): InquiryMail {
  const t = fixedT(locale, "mail");
  const order = orderReference(reference);
  const subject = t("inquiry.contact", { number, order: order ?? t("inquiry.noOrder") });
  const facts = [
    t("inquiry.number", { number }),
    t("inquiry.from", { email }),
    t("inquiry.language", { language: t("inquiry.thisLanguage") }),
    t("inquiry.order", { order: order ?? t("inquiry.none") }),
  ];
  return { to, replyTo: email, locale, subject, ...bodies(locale, subject, facts, message), file: null };
}

/** The mail of an authority's request. The file's name is ours, whatever it was. */
export function writeAuthorityMail(
  to: string,
  number: string,
  { authority, officer, email, message, locale }: Omit<AuthorityBody, "file">,
  { extension, type, bytes }: CheckedFile,
): InquiryMail {
  const t = fixedT(locale, "mail");
  const name = `request-${number}.${extension}`;
  const subject = t("inquiry.authority", { number });
  const facts = [
    t("inquiry.number", { number }),
    t("inquiry.by", { authority: shown(authority) }),
    t("inquiry.officer", { officer: shown(officer) }),
    t("inquiry.from", { email }),
    t("inquiry.language", { language: t("inquiry.thisLanguage") }),
    t("inquiry.file", { name, kilobytes: Math.ceil(bytes.byteLength / 1_024) }),
    t("inquiry.unverified"),
  ];
  return { to, replyTo: email, locale, subject, ...bodies(locale, subject, facts, message), file: { name, type } };
}

/** `7kq4m2xd` → `7KQ4-M2XD` */
function orderReference(typed: string): string | null {
  const plain = typed.replace(/[- ]/g, "");
  return plain === "" ? null : `${plain.slice(0, 4)}-${plain.slice(4)}`;
}

/** But the joiners of emoji and of some scripts, and tabs and line breaks. */
const UNSEEN = /(?![\t\n\r]|\u200C|\u200D|\uFE0F)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A foreign text with what is not seen, or turns the rest around, written out, as `⟨U+202E⟩`: what is read is what is there. */
const shown = (text: string): string =>
  text.replace(UNSEEN, (sign) => `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`);

function bodies(locale: ContactBody["locale"], subject: string, facts: string[], message: string) {
  const lines = shown(message)
    .split(/\r?\n/)
    .filter((text) => text.trim() !== "");
  const t = fixedT(locale, "mail");
  return bodiesOf(
    locale,
    { subject, paragraphs: [...facts, t("inquiry.message"), ...lines], links: [] },
    t("inquiry.footer"),
  );
}

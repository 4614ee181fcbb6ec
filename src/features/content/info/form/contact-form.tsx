import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAccountEmail } from "../../../../shared/account/account.ts";
import { useLocale } from "../../../../shared/i18n/index.ts";
import { TextField } from "../../../../shared/ui/index.ts";
import { sendMessage } from "../../api.ts";
import { InquiryForm } from "./inquiry-form.tsx";
import { MessageField } from "./message-field.tsx";
import { useInquiry } from "./use-inquiry.ts";

const FIELDS = ["email", "reference", "message"] as const;
type FieldName = (typeof FIELDS)[number];
type Wrong = { readonly [Name in FieldName]?: true };

/** Mails a question to the operator. */
export function ContactForm({ email: operatorEmail }: { readonly email: string | null }) {
  const { t } = useTranslation("info");
  const locale = useLocale();
  const inquiry = useInquiry();
  const accountEmail = useAccountEmail();
  const [typedEmail, setEmail] = useState<string | null>(null);
  const email = typedEmail ?? accountEmail ?? "";
  const [reference, setReference] = useState("");
  const [message, setMessage] = useState("");
  const [wrong, setWrong] = useState<Wrong>({});
  const fields = {
    email: useRef<HTMLInputElement>(null),
    reference: useRef<HTMLInputElement>(null),
    message: useRef<HTMLTextAreaElement>(null),
  };
  const errorOf = (name: FieldName) =>
    wrong[name] === true || name in inquiry.refused ? t(`form.wrong.${name}`) : null;

  const submit = async () => {
    const body = { email: email.trim(), reference, message, locale };
    const { contactBodySchema } = await import("#contract/site/inquiries.ts");
    const issues = contactBodySchema.safeParse(body).error?.issues ?? [];
    const names = FIELDS.filter((name) => issues.some(({ path }) => path[0] === name));
    setWrong(Object.fromEntries(names.map((name) => [name, true])));
    const [first] = names;
    if (first !== undefined) return fields[first].current?.focus();
    const refused = await inquiry.send(() => sendMessage(body));
    const refusedFirst = FIELDS.find((name) => name in refused);
    if (refusedFirst !== undefined) fields[refusedFirst].current?.focus();
  };
  const change = (name: FieldName, set: (value: string) => void) => (value: string) => {
    set(value);
    setWrong(({ [name]: _changed, ...others }) => others);
    inquiry.accept(name);
  };

  return (
    <InquiryForm
      inquiry={{
        ...inquiry,
        reset: () => {
          setMessage("");
          inquiry.reset();
        },
      }}
      intro={t("form.contactText")}
      submit={t("form.send")}
      answerTo={email}
      operatorEmail={operatorEmail}
      onSubmit={() => void submit()}
    >
      <TextField
        ref={fields.email}
        id="contact-email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        label={t("form.email")}
        value={email}
        onValue={change("email", setEmail)}
        error={errorOf("email")}
      />
      <TextField
        ref={fields.reference}
        id="contact-reference"
        name="reference"
        mono
        label={t("form.reference")}
        hint={t("form.referenceHint")}
        maxLength={12}
        value={reference}
        onValue={change("reference", setReference)}
        error={errorOf("reference")}
      />
      <MessageField
        ref={fields.message}
        id="contact-message"
        label={t("form.message")}
        value={message}
        onValue={change("message", setMessage)}
        error={errorOf("message")}
      />
    </InquiryForm>
  );
}

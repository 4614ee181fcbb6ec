import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FILE_PROBLEMS, type FileProblem, MAX_INQUIRY_FILE_BYTES } from "#contract/site/inquiry-limits.ts";
import { useLocale } from "../../../../shared/i18n/index.ts";
import { describedBy, Field, TextField } from "../../../../shared/ui/index.ts";
import { sendAuthorityRequest } from "../../api.ts";
import { InquiryForm } from "./inquiry-form.tsx";
import { MessageField } from "./message-field.tsx";
import { useInquiry } from "./use-inquiry.ts";

const TEXTS = ["authority", "officer", "email", "message"] as const;
type TextName = (typeof TEXTS)[number];
const EMPTY: Record<TextName, string> = { authority: "", officer: "", email: "", message: "" };
const FILE_ID = "authority-file";

/** Mails an authority's request with its file to the operator. */
export function AuthorityForm({ email: operatorEmail }: { readonly email: string | null }) {
  const { t } = useTranslation("info");
  const locale = useLocale();
  const inquiry = useInquiry();
  const [texts, setTexts] = useState(EMPTY);
  const [file, setFile] = useState<File | null>(null);
  const [wrong, setWrong] = useState<{ readonly [Name in TextName]?: true }>({});
  const [fileProblem, setFileProblem] = useState<FileProblem | null>(null);
  const form = useRef<HTMLDivElement>(null);
  const errorOf = (name: TextName) =>
    wrong[name] === true || name in inquiry.refused ? t(`form.wrong.${name}`) : null;
  const problem = fileProblem ?? refusedFile(inquiry.refused);
  const fileError = problem === null ? null : t(`form.fileProblem.${problem}`);
  const fileHint = t("form.fileHint");
  const set = (name: TextName) => (value: string) => {
    setTexts((known) => ({ ...known, [name]: value }));
    setWrong(({ [name]: _changed, ...others }) => others);
    inquiry.accept(name);
  };
  const focus = (name: TextName | "file") => form.current?.querySelector<HTMLElement>(`#authority-${name}`)?.focus();

  const submit = async () => {
    const body = { ...texts, email: texts.email.trim(), locale, file: file ?? undefined };
    const { authorityBodySchema } = await import("#contract/site/inquiries.ts");
    const parsed = authorityBodySchema.safeParse(body);
    const paths = new Set((parsed.error?.issues ?? []).map(({ path }) => path[0]));
    const names = TEXTS.filter((name) => paths.has(name));
    setWrong(Object.fromEntries(names.map((name) => [name, true])));
    setFileProblem(paths.has("file") ? (file === null || file.size === 0 ? "missing" : "size") : null);
    if (!parsed.success) return focus(names[0] ?? "file");
    const refused = await inquiry.send(() => sendAuthorityRequest(parsed.data));
    const refusedFirst = [...TEXTS, "file" as const].find((name) => name in refused);
    if (refusedFirst !== undefined) focus(refusedFirst);
  };

  const line = (name: "authority" | "officer" | "email", label: string) => (
    <TextField
      id={`authority-${name}`}
      name={name}
      type={name === "email" ? "email" : "text"}
      label={label}
      value={texts[name]}
      onValue={set(name)}
      error={errorOf(name)}
    />
  );

  return (
    <InquiryForm
      inquiry={{
        ...inquiry,
        reset: () => {
          setTexts(EMPTY);
          setFile(null);
          inquiry.reset();
        },
      }}
      intro={t("form.authorityText")}
      submit={t("form.sendRequest")}
      answerTo={texts.email}
      operatorEmail={operatorEmail}
      onSubmit={() => void submit()}
    >
      <div ref={form} className="w-info__fields">
        {line("authority", t("form.authority"))}
        {line("officer", t("form.officer"))}
        {line("email", t("form.officialEmail"))}
        <MessageField
          id="authority-message"
          label={t("form.request")}
          hint={t("form.requestHint")}
          value={texts.message}
          onValue={set("message")}
          error={errorOf("message")}
        />
        <Field id={FILE_ID} label={t("form.file")} hint={fileHint} error={fileError}>
          <input
            id={FILE_ID}
            type="file"
            accept="application/pdf,image/jpeg,image/png,image/webp"
            aria-invalid={fileError === null ? undefined : true}
            aria-describedby={describedBy({ id: FILE_ID, error: fileError, hint: fileHint })}
            onChange={(event) => {
              const [chosen = null] = event.currentTarget.files ?? [];
              setFile(chosen);
              inquiry.accept("file");
              setFileProblem(chosen !== null && chosen.size > MAX_INQUIRY_FILE_BYTES ? "size" : null);
            }}
          />
        </Field>
      </div>
    </InquiryForm>
  );
}

const refusedFile = (refused: Readonly<Record<string, unknown>>): FileProblem | null =>
  "file" in refused ? (FILE_PROBLEMS.find((known) => known === refused["file"]) ?? "broken") : null;

import { type ReactNode, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { AccountIcon, Button, CopyIconButton, ForeignText } from "../../../shared/ui/index.ts";
import "./keys.css";

type SecretCardProps = {
  readonly title: string;
  readonly text: string;
  /** Of the button that puts it away. */
  readonly savedLabel: string;
  readonly onDone: () => void;
  /** What is to be copied. */
  readonly children: ReactNode;
};

/** Something whose secret was just made and is never seen again (contract §8). */
export function SecretCard({ title, text, savedLabel, onDone, children }: SecretCardProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // A reader is led to it: its buttons follow, and the secret is read out only to whoever goes there.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="w-keys__new" aria-labelledby={id}>
      <AccountIcon name="key" />
      <div className="w-keys__text">
        <h2 ref={heading} id={id} className="w-keys__new-title" tabIndex={-1}>
          {title}
        </h2>
        <p className="w-profile__row-note">{text}</p>
      </div>
      {children}
      <Button variant="plain" onClick={onDone}>
        {savedLabel}
      </Button>
    </section>
  );
}

type CopyLineProps = { readonly label: string; readonly copyLabel: string; readonly value: string };

export function CopyLine({ label, copyLabel, value }: CopyLineProps) {
  const { t } = useTranslation("account");
  return (
    <div className="w-keys__value">
      <div className="w-keys__text">
        <p className="w-keys__label">{label}</p>
        <p className="w-mono">
          <ForeignText>{value}</ForeignText>
        </p>
      </div>
      <CopyIconButton
        value={value}
        label={copyLabel}
        copiedLabel={t("info.copied")}
        failedLabel={t("info.notCopied")}
      />
    </div>
  );
}

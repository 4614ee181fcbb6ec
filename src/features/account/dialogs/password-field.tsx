import { type Ref, useState } from "react";
import { useTranslation } from "react-i18next";
import { AccountIcon, describedBy, Field, IconButton } from "../../../shared/ui/index.ts";
import "./dialogs.css";

export type PasswordFieldProps = {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly autoComplete: "current-password" | "new-password";
  readonly error?: string | null;
  /** Of another field's note, which says this one's error too. */
  readonly errorId?: string | undefined;
  /** The id of what else describes it. */
  readonly helpId?: string;
  readonly ref?: Ref<HTMLInputElement>;
};

/** A password, which may be pasted and shown. */
export function PasswordField({
  id,
  label,
  value,
  onValue,
  autoComplete,
  error = null,
  errorId,
  helpId,
  ref,
}: PasswordFieldProps) {
  const { t } = useTranslation("account");
  const [isShown, setShown] = useState(false);
  const ids = [describedBy({ id, error, errorId }), helpId].filter((name) => name !== undefined).join(" ");
  return (
    <Field id={id} label={label} error={error} errorId={errorId}>
      <span className="w-password">
        <input
          ref={ref}
          id={id}
          name={id}
          type={isShown ? "text" : "password"}
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
          autoComplete={autoComplete}
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          maxLength={256}
          aria-required="true"
          aria-invalid={error === null && errorId === undefined ? undefined : true}
          aria-describedby={ids === "" ? undefined : ids}
        />
        <IconButton
          className="w-password__eye"
          label={t(isShown ? "field.hide" : "field.show")}
          pressed={isShown}
          icon={<AccountIcon name={isShown ? "eye-off" : "eye"} />}
          onClick={() => setShown(!isShown)}
        />
      </span>
    </Field>
  );
}

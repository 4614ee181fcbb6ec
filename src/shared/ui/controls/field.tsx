import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";
import "./field.css";
import { Icon } from "../graphics/icon.tsx";

export type FieldProps = {
  readonly id: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | null;
  /** Of another field's note, which says this one's error too. */
  readonly errorId?: string | undefined;
  /** Confirms a valid value under the field. */
  readonly valid?: string | null;
  readonly disabled?: boolean;
  readonly children: ReactNode;
};

/** The value of a control's `aria-describedby`: the ids of the error, the confirmation and the hint that `Field` shows. */
export function describedBy({
  id,
  error,
  errorId,
  valid,
  hint,
}: Pick<FieldProps, "id" | "error" | "errorId" | "valid" | "hint">): string | undefined {
  const ids = [errorId ?? (error && `${id}-error`), !error && valid && `${id}-valid`, hint && `${id}-hint`].filter(
    Boolean,
  );
  return ids.length === 0 ? undefined : ids.join(" ");
}

/** The box around a control of the caller's own: its label inside at the top, its error or hint below. */
export const Field = ({ id, label, hint, error, errorId, valid, disabled, children }: FieldProps) => (
  <div className="w-field">
    <div
      className={classNames(
        "w-field__box",
        (error || errorId) && "w-field__box--error",
        disabled && "w-field__box--disabled",
      )}
    >
      <label className="w-field__label" id={`${id}-label`} htmlFor={id}>
        {label}
      </label>
      {children}
    </div>
    <FieldNotes id={id} error={error} valid={valid} hint={hint} />
  </div>
);

/** The error, or else the confirmation, and the hint under a field. */
export const FieldNotes = ({ id, error, valid, hint }: Pick<FieldProps, "id" | "error" | "valid" | "hint">) => (
  <>
    {error ? (
      <p className="w-field__note w-field__note--error" id={`${id}-error`}>
        <Icon name="error" size={16} />
        <span>{error}</span>
      </p>
    ) : null}
    {valid && !error ? (
      <p className="w-field__note w-field__note--valid" id={`${id}-valid`}>
        <Icon name="check" size={16} />
        <span>{valid}</span>
      </p>
    ) : null}
    {hint ? (
      <p className="w-field__note" id={`${id}-hint`}>
        {hint}
      </p>
    ) : null}
  </>
);

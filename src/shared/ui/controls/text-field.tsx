import { Input } from "@telegram-apps/telegram-ui";
import { type ClipboardEvent, type ReactNode, type Ref, useImperativeHandle, useRef } from "react";
import { useValueBeforeHydration } from "./before-hydration.ts";
import { classNames } from "../class-names.ts";
import { describedBy, FieldNotes } from "./field.tsx";
import { Spinner } from "../feedback/spinner.tsx";

export type TextFieldProps = {
  readonly id: string;
  readonly name: string;
  readonly label: ReactNode;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error?: string | null;
  /** Of another field's note, which says this one's error too. */
  readonly errorId?: string | undefined;
  readonly hint?: ReactNode;
  readonly mono?: boolean;
  readonly type?: "text" | "email" | "search" | "date" | "password";
  readonly inputMode?: "text" | "decimal" | "numeric" | "email" | "search";
  readonly autoComplete?: string;
  readonly placeholder?: string;
  readonly maxLength?: number;
  /** What is being checked, for screen readers. */
  readonly busy?: string | null;
  /** Confirms a valid value under the field. */
  readonly valid?: string | null;
  readonly disabled?: boolean;
  readonly required?: boolean;
  readonly onBlur?: () => void;
  readonly onPaste?: (event: ClipboardEvent<HTMLInputElement>) => void;
  readonly ref?: Ref<HTMLInputElement>;
};

/** A labelled input of one line, with its error or hint below; what was typed before hydration is kept. */
export function TextField(props: TextFieldProps) {
  const { id, label, value, onValue, error, errorId, hint, valid, mono, disabled } = props;
  const isWrong = Boolean(error) || errorId !== undefined;
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(props.ref, () => input.current as HTMLInputElement);
  useValueBeforeHydration(() => input.current?.value, value, onValue);
  return (
    <div className="w-field">
      <Input
        ref={input}
        className={classNames("w-field__box", isWrong && "w-field__box--error", disabled && "w-field__box--disabled")}
        // Not `header`, which is an <h6> and missing on iOS.
        before={
          <span className="w-field__label" id={`${id}-label`}>
            {label}
          </span>
        }
        after={props.busy ? <Spinner label={props.busy} /> : null}
        status={isWrong ? "error" : undefined}
        id={id}
        name={props.name}
        type={props.type ?? "text"}
        data-mono={mono || undefined}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
        onBlur={props.onBlur}
        onPaste={props.onPaste}
        inputMode={props.inputMode}
        autoComplete={props.autoComplete ?? "off"}
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        placeholder={props.placeholder}
        maxLength={props.maxLength}
        disabled={disabled}
        required={props.required}
        // The label around it holds the spinner's text too.
        aria-labelledby={`${id}-label`}
        aria-invalid={isWrong ? true : undefined}
        aria-describedby={describedBy({ id, error, errorId, valid, hint })}
      />
      <FieldNotes id={id} error={error} valid={valid} hint={hint} />
    </div>
  );
}

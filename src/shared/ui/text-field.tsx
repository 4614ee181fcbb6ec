import { type ClipboardEvent, type ReactNode, type Ref, useImperativeHandle, useRef } from "react";
import { classNames } from "./class-names.ts";
import { describedBy, Field } from "./field.tsx";
import { Spinner } from "./spinner.tsx";
import { useKeptInput } from "./use-kept-input.ts";

export type TextFieldProps = {
  readonly id: string;
  readonly name: string;
  readonly label: ReactNode;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error?: string | null;
  readonly hint?: ReactNode;
  readonly mono?: boolean;
  readonly type?: "text" | "email" | "search";
  readonly inputMode?: "text" | "decimal" | "numeric" | "email" | "search";
  readonly autoComplete?: string;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly trailing?: ReactNode;
  /** What is being checked, in words for screen readers. */
  readonly busy?: string | null;
  /** Good news under the field. */
  readonly valid?: string | null;
  readonly disabled?: boolean;
  readonly required?: boolean;
  readonly onBlur?: () => void;
  readonly onPaste?: (event: ClipboardEvent<HTMLInputElement>) => void;
  readonly ref?: Ref<HTMLInputElement>;
};

export function TextField(props: TextFieldProps) {
  const { id, label, value, onValue, error, hint, valid, mono, disabled } = props;
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(props.ref, () => input.current as HTMLInputElement);
  useKeptInput(input, value, onValue);
  return (
    <Field id={id} label={label} hint={hint} error={error} valid={valid} disabled={disabled}>
      <span className="w-field__row">
        <input
          ref={input}
          id={id}
          name={props.name}
          type={props.type ?? "text"}
          className={classNames("w-field__input", mono && "w-mono")}
          value={value}
          onChange={(event) => onValue(event.target.value)}
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
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy({ id, error, valid, hint })}
        />
        {props.busy ? <Spinner label={props.busy} /> : null}
        {props.trailing}
      </span>
    </Field>
  );
}

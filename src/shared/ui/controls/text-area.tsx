import { Textarea } from "@telegram-apps/telegram-ui";
import { type ReactNode, type Ref, useImperativeHandle, useRef } from "react";
import { useValueBeforeHydration } from "./before-hydration.ts";
import { describedBy, Field } from "./field.tsx";
import "./text-area.css";

export type TextAreaProps = {
  readonly id: string;
  readonly name: string;
  readonly label: ReactNode;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly rows: number;
  readonly hint?: ReactNode;
  readonly error?: string | null;
  readonly maxLength?: number;
  /** Code rather than prose: in the monospaced font, and not spell-checked. */
  readonly mono?: boolean;
  readonly ref?: Ref<HTMLTextAreaElement>;
};

/** A labelled text of several lines, with its error or hint below; what was typed before hydration is kept. */
export function TextArea({ id, name, label, value, onValue, rows, hint, error, maxLength, mono, ref }: TextAreaProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => area.current as HTMLTextAreaElement);
  useValueBeforeHydration(() => area.current?.value, value, onValue);
  return (
    <Field id={id} label={label} hint={hint} error={error ?? null}>
      <Textarea
        className="w-text-area"
        ref={area}
        id={id}
        name={name}
        rows={rows}
        maxLength={maxLength}
        spellCheck={mono ? false : undefined}
        data-mono={mono || undefined}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
        // telegram-ui's label around it is empty.
        aria-labelledby={`${id}-label`}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy({ id, error, hint })}
      />
    </Field>
  );
}

import { type Ref, useImperativeHandle, useRef } from "react";
import { MAX_INQUIRY_TEXT } from "#contract/inquiry-limits.ts";
import { describedBy, Field, useValueBeforeHydration } from "../../../../shared/ui/index.ts";

type MessageFieldProps = {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly error: string | null;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly ref?: Ref<HTMLTextAreaElement>;
};

/** A text of several lines. */
export function MessageField({ id, label, hint, error, value, onValue, ref }: MessageFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => area.current as HTMLTextAreaElement);
  useValueBeforeHydration(() => area.current?.value, value, onValue);
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <textarea
        ref={area}
        id={id}
        name="message"
        rows={6}
        maxLength={MAX_INQUIRY_TEXT}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
        aria-invalid={error === null ? undefined : true}
        aria-describedby={describedBy({ id, error, hint })}
      />
    </Field>
  );
}

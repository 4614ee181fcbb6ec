import type { ReactNode } from "react";
import { describedBy, Field } from "./field.tsx";
import "./select-field.css";

type SelectOption = { readonly value: string; readonly label: string };

export type SelectFieldProps = {
  readonly id: string;
  readonly label: ReactNode;
  readonly options: readonly SelectOption[];
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly name?: string;
  readonly autoComplete?: string;
  readonly error?: string | null;
};

/** One of several values, in the browser's own list. */
export const SelectField = ({ id, label, options, value, onValue, name, autoComplete, error }: SelectFieldProps) => (
  <Field id={id} label={label} error={error ?? null}>
    <select
      id={id}
      name={name}
      className="w-select"
      value={value}
      autoComplete={autoComplete}
      aria-invalid={error ? true : undefined}
      aria-describedby={describedBy({ id, error: error ?? null })}
      onChange={(event) => onValue(event.currentTarget.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  </Field>
);

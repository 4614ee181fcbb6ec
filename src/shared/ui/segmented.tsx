import { type ReactNode, useLayoutEffect, useRef } from "react";
import "./segmented.css";

export type SegmentedOption<Value extends string> = {
  readonly value: Value;
  readonly label: ReactNode;
  readonly icon?: ReactNode;
  readonly disabled?: boolean;
};

export type SegmentedProps<Value extends string> = {
  readonly name: string;
  /** Names the group for screen readers. */
  readonly label: string;
  readonly value: Value;
  readonly options: readonly SegmentedOption<Value>[];
  readonly onValue: (value: Value) => void;
};

/** A real radio group: one stop of Tab, arrows move and choose. */
export function Segmented<Value extends string>({ name, label, value, options, onValue }: SegmentedProps<Value>) {
  const group = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => {
    const chosen = group.current?.querySelector<HTMLInputElement>("input:checked")?.value;
    const option = options.find((candidate) => candidate.value === chosen);
    if (option !== undefined && option.value !== value) onValue(option.value);
    // Only what was chosen before hydration; later changes come as events.
    // eslint-disable-next-line react/exhaustive-deps
  }, []);
  return (
    <fieldset ref={group} className="w-segmented" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className="w-segmented__option">
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onValue(option.value)}
          />
          <span className="w-segmented__label">
            {option.icon}
            <span>{option.label}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

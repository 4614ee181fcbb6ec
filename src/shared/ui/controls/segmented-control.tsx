import { SegmentedControl as TelegramSegmentedControl } from "@telegram-apps/telegram-ui";
import { type ReactNode, useRef } from "react";
import { useValueBeforeHydration } from "./before-hydration.ts";
import "./segmented-control.css";

type SegmentedControlOption<Value extends string> = {
  readonly value: Value;
  readonly label: ReactNode;
  readonly icon?: ReactNode;
  readonly disabled?: boolean;
};

export type SegmentedControlProps<Value extends string> = {
  readonly name: string;
  /** The accessible name of the group. */
  readonly label: string;
  readonly value: Value;
  readonly options: readonly SegmentedControlOption<Value>[];
  readonly onValue: (value: Value) => void;
};

/** Each segment is the label of a native radio instead of a tab. */
const RADIO_LABEL = { Component: "label", role: undefined, interactiveAnimation: "opacity" };

/** A radio group: one Tab stop, the arrow keys move and choose. */
export function SegmentedControl<Value extends string>({
  name,
  label,
  value,
  options,
  onValue,
}: SegmentedControlProps<Value>) {
  const radios = useRef(new Map<Value, HTMLInputElement>());
  const checked = () => options.find((option) => radios.current.get(option.value)?.checked)?.value;
  useValueBeforeHydration(checked, value, onValue);
  return (
    <TelegramSegmentedControl className="w-segmented" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <TelegramSegmentedControl.Item
          key={option.value}
          className="w-segmented__option"
          selected={option.value === value}
          {...RADIO_LABEL}
        >
          <input
            ref={(radio) => {
              if (radio !== null) radios.current.set(option.value, radio);
            }}
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onValue(option.value)}
          />
          {option.icon}
          <span>{option.label}</span>
        </TelegramSegmentedControl.Item>
      ))}
    </TelegramSegmentedControl>
  );
}

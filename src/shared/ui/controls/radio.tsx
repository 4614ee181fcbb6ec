import { Radio as TelegramRadio } from "@telegram-apps/telegram-ui";
import { type ReactNode, useId, useRef } from "react";
import { useValueBeforeHydration } from "./before-hydration.ts";
import { classNames } from "../class-names.ts";
import "./radio.css";

export type RadioProps = {
  readonly name: string;
  readonly value: string;
  readonly checked: boolean;
  readonly onChecked: () => void;
  readonly disabled?: boolean;
  /** Its label. */
  readonly children: ReactNode;
  readonly className?: string;
};

/** One choice of several, whose whole row can be pressed. */
export function Radio({ name, value, checked, onChecked, disabled, children, className }: RadioProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useValueBeforeHydration(
    () => input.current?.checked,
    checked,
    (isChosen) => {
      if (isChosen) onChecked();
    },
  );
  return (
    <div className={classNames("w-radio", className)}>
      <span className="w-radio__mark">
        <TelegramRadio
          ref={input}
          id={id}
          name={name}
          value={value}
          checked={checked}
          disabled={disabled}
          onChange={() => onChecked()}
        />
      </span>
      <label className="w-radio__label" htmlFor={id}>
        {children}
      </label>
    </div>
  );
}

import { Checkbox as TelegramCheckbox } from "@telegram-apps/telegram-ui";
import { type ReactNode, type Ref, useId, useImperativeHandle, useRef } from "react";
import { useValueBeforeHydration } from "./before-hydration.ts";
import "./checkbox.css";
import { classNames } from "../class-names.ts";
import { Icon } from "../graphics/icon.tsx";

export type CheckboxProps = {
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
  readonly label: ReactNode;
  readonly error?: string | null;
  readonly disabled?: boolean;
  readonly name?: string;
  readonly ref?: Ref<HTMLInputElement>;
};

/** A checkbox whose whole row can be pressed. */
export function Checkbox({ checked, onChecked, label, error, disabled, name, ref }: CheckboxProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => input.current as HTMLInputElement);
  useValueBeforeHydration(() => input.current?.checked, checked, onChecked);
  return (
    <div className={classNames("w-checkbox", error && "w-checkbox--error", disabled && "w-checkbox--disabled")}>
      <div className="w-checkbox__row">
        <span className="w-checkbox__box">
          <TelegramCheckbox
            ref={input}
            id={id}
            name={name}
            checked={checked}
            disabled={disabled}
            onChange={(event) => onChecked(event.currentTarget.checked)}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
          />
        </span>
        <label className="w-checkbox__label" htmlFor={id}>
          {label}
        </label>
      </div>
      {error ? (
        <p className="w-field__note w-field__note--error" id={`${id}-error`}>
          <Icon name="error" size={16} />
          <span>{error}</span>
        </p>
      ) : null}
    </div>
  );
}

import { type ReactNode, type Ref, useId, useImperativeHandle, useLayoutEffect, useRef } from "react";
import { classNames } from "./class-names.ts";
import { Icon } from "./icons/icon.tsx";
import "./tick.css";

export type TickProps = {
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
  readonly label: ReactNode;
  readonly error?: string | null;
  readonly disabled?: boolean;
  readonly name?: string;
  readonly ref?: Ref<HTMLInputElement>;
};

/** A checkbox whose whole row is its label. */
export function Tick({ checked, onChecked, label, error, disabled, name, ref }: TickProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => input.current as HTMLInputElement);
  useLayoutEffect(() => {
    const ticked = input.current?.checked;
    if (ticked !== undefined && ticked !== checked) onChecked(ticked);
    // Only what was ticked before hydration; later changes come as events.
    // eslint-disable-next-line react/exhaustive-deps
  }, []);
  return (
    <div className={classNames("w-tick", error && "w-tick--error", disabled && "w-tick--disabled")}>
      <label className="w-tick__row">
        <span className="w-tick__box">
          <input
            ref={input}
            type="checkbox"
            name={name}
            checked={checked}
            disabled={disabled}
            onChange={(event) => onChecked(event.target.checked)}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
          />
          <Icon name="check" size={16} />
        </span>
        <span className="w-tick__label">{label}</span>
      </label>
      {error ? (
        <p className="w-field__note w-field__note--error" id={`${id}-error`}>
          <Icon name="error" size={16} />
          <span>{error}</span>
        </p>
      ) : null}
    </div>
  );
}

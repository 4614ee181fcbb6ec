import type { ReactNode, Ref } from "react";
import { classNames } from "./class-names.ts";
import "./icon-button.css";

export type IconButtonProps = {
  readonly label: string;
  readonly icon: ReactNode;
  readonly onClick?: () => void;
  readonly disabled?: boolean;
  readonly className?: string;
  readonly pressed?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
};

/** A picture with a name; its touch area is 44 by 44. */
export const IconButton = ({ label, icon, onClick, disabled, className, pressed, ref }: IconButtonProps) => (
  <button
    ref={ref}
    type="button"
    className={classNames("w-icon-button", className)}
    aria-label={label}
    aria-pressed={pressed}
    title={label}
    disabled={disabled}
    onClick={onClick}
  >
    {icon}
  </button>
);

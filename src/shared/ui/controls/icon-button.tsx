import { IconButton as TelegramIconButton } from "@telegram-apps/telegram-ui";
import type { ReactNode, Ref } from "react";
import { classNames } from "../class-names.ts";
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

/** No ripple, as for every button. */
const WITHOUT_RIPPLE = { interactiveAnimation: "opacity" };

/** An icon with an accessible name; its touch area is 44 by 44. */
export const IconButton = ({ label, icon, onClick, disabled, className, pressed, ref }: IconButtonProps) => (
  <TelegramIconButton
    ref={ref}
    type="button"
    mode="plain"
    className={classNames("w-icon-button", className)}
    aria-label={label}
    aria-pressed={pressed}
    title={label}
    disabled={disabled}
    onClick={onClick}
    {...WITHOUT_RIPPLE}
  >
    {icon}
  </TelegramIconButton>
);

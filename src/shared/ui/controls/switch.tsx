import { Switch as TelegramSwitch } from "@telegram-apps/telegram-ui";
import "./switch.css";

export type SwitchProps = {
  /** Its accessible name. */
  readonly label: string;
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
  /** While its change is on the way; a press does nothing. */
  readonly isBusy?: boolean;
};

/** Takes effect at once; its touch area is 44 high. */
export const Switch = ({ label, checked, onChecked, isBusy = false }: SwitchProps) => (
  <TelegramSwitch
    className="w-switch"
    role="switch"
    aria-label={label}
    aria-disabled={isBusy || undefined}
    aria-checked={checked}
    checked={checked}
    onChange={(event) => {
      if (!isBusy) onChecked(event.currentTarget.checked);
    }}
  />
);

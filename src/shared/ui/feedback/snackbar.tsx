import { Snackbar as TelegramSnackbar, type SnackbarProps } from "@telegram-apps/telegram-ui";
import type { ReactNode } from "react";
import "./snackbar.css";

/** The longest time that a browser's timer takes. */
const FOREVER_MS = 2 ** 31 - 1;
const never = () => undefined;

type Props = Omit<SnackbarProps, "children" | "description" | "link" | "duration" | "onClose"> & {
  readonly title: ReactNode;
  readonly detail?: ReactNode;
};

/** Stays until its owner removes it: telegram-ui's own time can't be paused. */
export const Snackbar = ({ title, detail, ...props }: Props) => (
  <TelegramSnackbar
    {...props}
    className="w-toast"
    duration={FOREVER_MS}
    onClose={never}
    description={detail ? <span className="w-toast__detail">{detail}</span> : null}
  >
    <span className="w-toast__title">{title}</span>
  </TelegramSnackbar>
);

import { Badge as TelegramBadge } from "@telegram-apps/telegram-ui";
import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";
import "./badge.css";

export type BadgeProps = {
  readonly tone: "neutral" | "accent" | "danger";
  readonly size?: "s" | "m";
  readonly children: ReactNode;
};

/** A state in a word or two. */
export const Badge = ({ tone, size = "s", children }: BadgeProps) => (
  <TelegramBadge
    type="number"
    mode="secondary"
    className={classNames("w-badge", `w-badge--${tone}`, `w-badge--${size}`)}
  >
    {children}
  </TelegramBadge>
);

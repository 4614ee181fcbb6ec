import { Placeholder as TelegramPlaceholder } from "@telegram-apps/telegram-ui";
import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";
import "./placeholder.css";

type PlaceholderProps = { readonly className?: string; readonly children: ReactNode };

/** An empty or failed screen. Its heading is a child: telegram-ui's `header` is a <dt>. */
export const Placeholder = ({ className, children }: PlaceholderProps) => (
  <TelegramPlaceholder className={classNames("w-placeholder", className)}>{children}</TelegramPlaceholder>
);

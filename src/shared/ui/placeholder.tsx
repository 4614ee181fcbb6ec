import { Placeholder as TelegramPlaceholder } from "@telegram-apps/telegram-ui";
import type { ReactNode } from "react";

type PlaceholderProps = { readonly className?: string; readonly children: ReactNode };

/** An empty or failed screen. Its heading is a child: telegram-ui's `header` is a <dt>, which no reader can jump to. */
export const Placeholder = ({ className, children }: PlaceholderProps) => (
  <TelegramPlaceholder className={className}>{children}</TelegramPlaceholder>
);

import { AppRoot as TelegramAppRoot } from "@telegram-apps/telegram-ui";
import { type ReactNode, type RefObject, useRef } from "react";
import { useAppearance } from "../../browser/theme.ts";

type RegionProps = { readonly role?: "status"; readonly children: ReactNode };

/**
 * A live region that holds snackbars. telegram-ui moves them into the nearest root: were that the page's own, screen readers
 * would miss them.
 */
export const SnackbarRegion = ({ role, children }: RegionProps) => (
  <TelegramAppRoot
    className="w-root"
    appearance={useAppearance()}
    portalContainer={useRef<HTMLDivElement>(null) as RefObject<HTMLDivElement>}
    role={role}
    aria-live="polite"
  >
    {children}
  </TelegramAppRoot>
);

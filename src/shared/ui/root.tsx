import { AppRoot } from "@telegram-apps/telegram-ui";
import type { ReactNode } from "react";
import { useAppearance } from "../browser/theme.ts";

/**
 * telegram-ui's root, so that its components work anywhere below. Its sheet (9 KB) stays out while none of them is used:
 * ours keep their look on semantic elements. Platform and appearance are given, since it would read them differently on the server.
 */
export const Root = ({ children }: { readonly children: ReactNode }) => (
  <AppRoot platform="base" appearance={useAppearance()}>
    {children}
  </AppRoot>
);

import { AppRoot as TelegramAppRoot } from "@telegram-apps/telegram-ui";
import { type ReactNode, startTransition, useEffect, useState } from "react";
import { useAppearance } from "../../browser/theme.ts";

const APPLE = /iPhone|iPad|iPod|Macintosh/;

/** telegram-ui's root. Platform and appearance are passed because it would read them differently on the server. */
export const AppRoot = ({ children }: { readonly children: ReactNode }) => (
  <TelegramAppRoot className="w-root" platform={usePlatform()} appearance={useAppearance()}>
    {children}
  </TelegramAppRoot>
);

/** `base` on the server and in the first render; Apple's look follows once the page is hydrated. */
function usePlatform(): "base" | "ios" {
  const [platform, setPlatform] = useState<"base" | "ios">("base");
  useEffect(() => {
    if (APPLE.test(navigator.userAgent)) startTransition(() => setPlatform("ios"));
  }, []);
  return platform;
}

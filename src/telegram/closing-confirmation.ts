import { useEffect } from "react";
import { proxy } from "valtio";

/** Whether Telegram asks before it closes the app. The web doesn't: it keeps a draft. */
export const closingConfirmation = proxy({ isOn: false });

/** Asks for confirmation while closing the app would lose something. */
export function useClosingConfirmation(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    closingConfirmation.isOn = true;
    return () => {
      closingConfirmation.isOn = false;
    };
  }, [isOn]);
}

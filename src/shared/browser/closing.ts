import { useEffect } from "react";
import { messenger } from "../../telegram/sdk/current.ts";

let isWanted = false;

/** While closing the app would lose something: the messenger asks first; the web keeps a draft, and doesn't. */
export function useClosingQuestion(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    confirmClosing(true);
    return () => confirmClosing(false);
  }, [isOn]);
}

function confirmClosing(isOn: boolean): void {
  isWanted = isOn;
  messenger()?.confirmClosing(isOn);
}

/** What was wanted before the messenger's client was reached. */
export const isClosingConfirmed = (): boolean => isWanted;

import { messenger } from "./messenger/current.ts";

let isWanted = false;

/** Whether closing the app would lose something typed. The messenger asks first; the web keeps a draft, and doesn't. */
export function confirmClosing(isOn: boolean): void {
  isWanted = isOn;
  messenger()?.confirmClosing(isOn);
}

/** What was wanted before the messenger's client was reached. */
export const isClosingConfirmed = (): boolean => isWanted;

import { useState } from "react";

export type DialogState = {
  readonly isOpen: boolean;
  /** The key of the dialog's element: each opening begins anew, and what is closed stays as it was until it has moved away. */
  readonly key: number;
  readonly open: () => void;
  readonly close: () => void;
};

/** A dialog whose fields are empty whenever it opens. */
export function useDialogState(): DialogState {
  const [{ isOpen, key }, setState] = useState({ isOpen: false, key: 0 });
  return {
    isOpen,
    key,
    open: () => setState((before) => ({ isOpen: true, key: before.key + 1 })),
    close: () => setState((before) => ({ ...before, isOpen: false })),
  };
}

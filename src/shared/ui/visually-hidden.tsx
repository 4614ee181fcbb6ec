import type { ReactNode } from "react";

/** For screen readers only. */
export const VisuallyHidden = ({ children }: { readonly children: ReactNode }) => (
  <span className="w-visually-hidden">{children}</span>
);

import type { ReactNode } from "react";

type LabelledChoiceProps = { readonly text: string; readonly children: ReactNode };

/** A group of radio buttons below its name, which the group has too. */
export const LabelledChoice = ({ text, children }: LabelledChoiceProps) => (
  <div className="w-widget__choice">
    <p aria-hidden="true">{text}</p>
    {children}
  </div>
);

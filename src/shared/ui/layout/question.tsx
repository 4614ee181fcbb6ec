import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";
import { Icon } from "../graphics/icon.tsx";
import "./question.css";

type QuestionProps = {
  readonly title: string;
  /** Of its heading, for links to it. */
  readonly id?: string;
  readonly isOpen?: boolean;
  readonly isDense?: boolean;
  /** The answer, one element. */
  readonly children: ReactNode;
};

/** A question that opens to its answer, also without scripts and for a search in the page. */
export const Question = ({ title, id, isOpen, isDense = false, children }: QuestionProps) => (
  <details className={classNames("w-question", isDense && "w-question--dense")} open={isOpen}>
    <summary>
      <h3 id={id}>{title}</h3>
      <Icon name="plus" />
      <Icon name="minus" />
    </summary>
    {children}
  </details>
);

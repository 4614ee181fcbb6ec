import type { ReactNode } from "react";
import type { Option } from "../../model/choice.ts";
import { useOpenChoice } from "./choice-context.tsx";
import "./choice-card.css";

type ChoiceCardProps = {
  readonly option: Option;
  readonly title: string;
  readonly sum: ReactNode;
  readonly detail: ReactNode;
  readonly disabled?: boolean;
  /** What belongs to the option but is no part of its label. */
  readonly children?: ReactNode;
};

/** One of the two ways to go on; both look the same. */
export function ChoiceCard({ option, title, sum, detail, disabled = false, children }: ChoiceCardProps) {
  const { choice, choose } = useOpenChoice();
  return (
    <div className="w-order-choice__card w-order-card">
      <label className="w-order-choice__option">
        <input
          className="w-order-choice__radio"
          type="radio"
          name="order-choice"
          value={option}
          checked={choice.chosen === option}
          disabled={disabled}
          onChange={() => choose(option)}
        />
        <span className="w-order-choice__text">
          <span className="w-order-choice__title">{title}</span>
          {sum}
          <span className="w-order-choice__detail">{detail}</span>
        </span>
      </label>
      {children}
    </div>
  );
}

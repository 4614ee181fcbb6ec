import { Input, type InputProps } from "@telegram-apps/telegram-ui";
import type { Ref } from "react";
import { Icon } from "../graphics/icon.tsx";
import "./search-field.css";

export type SearchFieldProps = Omit<InputProps, "before" | "after" | "className" | "header" | "onChange" | "status"> & {
  /** Its accessible name, and what it shows while it is empty. */
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly maxLength: number;
  readonly ref?: Ref<HTMLInputElement>;
};

/** A search of one line; whatever else it is given goes to its input. */
export const SearchField = ({ label, onValue, ...attributes }: SearchFieldProps) => (
  <div className="w-search-field">
    <Input
      {...attributes}
      className="w-search-field__box"
      before={<Icon name="search" />}
      type="search"
      enterKeyHint="search"
      autoComplete="off"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      aria-label={label}
      placeholder={label}
      onChange={(event) => onValue(event.currentTarget.value)}
    />
  </div>
);

import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { SearchField } from "../../../shared/ui/index.ts";

type SearchBoxProps = { readonly value: string; readonly onValue: (value: string) => void };

/** While somebody types, nothing is asked for. */
const PAUSE_MS = 300;
/** The contract's limit for `search`. */
const MAX_LENGTH = 64;

/** Narrows the list once the typing pauses, or Enter is pressed. */
export function SearchBox({ value, onValue }: SearchBoxProps) {
  const { t } = useTranslation("order");
  const [typed, setTyped] = useState(value);
  const [sent, setSent] = useState(value);
  // Changed by another filter's "all orders", or by Back.
  if (sent !== value) {
    setSent(value);
    setTyped(value);
  }
  const send = () => {
    const text = typed.trim();
    if (text === value) return;
    setSent(text);
    onValue(text);
  };
  const sendLater = useEffectEvent(send);
  useEffect(() => {
    const timer = setTimeout(() => sendLater(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <search className="w-history__search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <SearchField
          name="search"
          label={t("history.search")}
          maxLength={MAX_LENGTH}
          value={typed}
          onValue={setTyped}
        />
      </form>
    </search>
  );
}

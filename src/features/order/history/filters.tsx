import { useId } from "react";
import { useTranslation } from "react-i18next";
import { ORDER_STATES } from "#contract/accounts/order-history.ts";
import { TextField } from "../../../shared/ui/index.ts";
import type { HistoryQuery } from "./history-query.ts";
import { SearchBox } from "./search-box.tsx";

type FiltersProps = { readonly query: HistoryQuery; readonly onQuery: (query: HistoryQuery) => void };

const STATES = [null, ...ORDER_STATES] as const;

/** By text, state and day; each change begins at the list's start. */
export function Filters({ query, onQuery }: FiltersProps) {
  const { t } = useTranslation("order");
  const name = useId();
  const narrow = (change: Partial<HistoryQuery>) => onQuery({ ...query, ...change, page: 1 });
  return (
    <div className="w-history__filters">
      <SearchBox value={query.search} onValue={(search) => narrow({ search })} />
      <fieldset className="w-history__chips">
        <legend className="w-visually-hidden">{t("history.state")}</legend>
        {STATES.map((state) => (
          <label key={state} className="w-history__chip">
            <input type="radio" name={name} checked={query.state === state} onChange={() => narrow({ state })} />
            <span>{t(`history.states.${state ?? "ALL"}`)}</span>
          </label>
        ))}
      </fieldset>
      <div className="w-history__days">
        <Day id={`${name}-from`} label={t("history.from")} value={query.from} onValue={(from) => narrow({ from })} />
        <Day id={`${name}-to`} label={t("history.to")} value={query.to} onValue={(to) => narrow({ to })} />
      </div>
    </div>
  );
}

type DayProps = {
  readonly id: string;
  readonly label: string;
  readonly value: string | null;
  readonly onValue: (value: string | null) => void;
};

const Day = ({ id, label, value, onValue }: DayProps) => (
  <TextField
    id={id}
    name={id}
    type="date"
    label={label}
    value={value ?? ""}
    onValue={(day) => onValue(day === "" ? null : day)}
  />
);

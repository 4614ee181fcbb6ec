import type { KeyboardEvent, Ref } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../shared/ui/index.ts";

type SearchFieldProps = {
  readonly ref: Ref<HTMLInputElement>;
  readonly label: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly listId: string;
  readonly activeId: string | undefined;
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

export function SearchField({ ref, label, query, onQuery, listId, activeId, onKeyDown }: SearchFieldProps) {
  const { t } = useTranslation("exchange");
  return (
    <div className="w-coin-search">
      <div className="w-coin-search__field">
        <Icon name="search" />
        <input
          ref={ref}
          className="w-coin-search__input"
          type="text"
          role="combobox"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          maxLength={100}
          aria-label={label}
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={activeId}
          placeholder={label}
          value={query}
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {query === "" ? null : (
          <button
            type="button"
            className="w-coin-search__clear"
            aria-label={t("selector.clear")}
            onClick={() => onQuery("")}
          >
            <Icon name="close" size={18} />
          </button>
        )}
      </div>
    </div>
  );
}

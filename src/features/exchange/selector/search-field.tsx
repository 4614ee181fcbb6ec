import { type KeyboardEvent, type Ref, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../shared/ui/index.ts";
import { optionAfterKey } from "../model/option-keys.ts";

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

type Options = {
  readonly slugs: readonly string[];
  readonly listId: string;
  /** With a query the first match is ready for Enter; without one nothing is. */
  readonly startAtFirst: boolean;
  readonly onPick: (slug: string) => void;
};

export const optionId = (listId: string, slug: string): string => `${listId}-${slug}`;

/** The combobox pattern: the focus stays in the search, keys move through the list, Enter picks. */
export function useActiveOption({ slugs, listId, startAtFirst, onPick }: Options) {
  const [moved, setMoved] = useState<string | null>(null);
  const kept = moved !== null && slugs.includes(moved) ? moved : null;
  const activeSlug = kept ?? (startAtFirst ? (slugs[0] ?? null) : null);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.shiftKey) return;
    if (event.key === "Enter") {
      if (activeSlug === null) return;
      onPick(activeSlug);
    } else {
      const next = optionAfterKey(event.key, activeSlug === null ? -1 : slugs.indexOf(activeSlug), slugs.length);
      if (next === null) return;
      setMoved(slugs[next] ?? null);
    }
    event.preventDefault();
  };

  return {
    activeSlug,
    activeId: activeSlug === null ? undefined : optionId(listId, activeSlug),
    onKeyDown,
    /** What was moved to belongs to the list as it was. */
    forget: () => setMoved(null),
  };
}

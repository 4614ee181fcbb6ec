import { type KeyboardEvent, useState } from "react";
import { optionAfterKey } from "../model/option-keys.ts";

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

import { type KeyboardEvent, useEffect, useState } from "react";

type Options = {
  readonly slugs: readonly string[];
  readonly listId: string;
  /** With a query the first match is ready for Enter; without one nothing is. */
  readonly startAtFirst: boolean;
  readonly onPick: (slug: string) => void;
};

export const optionId = (listId: string, slug: string): string => `${listId}-${slug}`;

/** The combobox pattern: the focus stays in the search, arrows move through the list, Enter picks. */
export function useActiveOption({ slugs, listId, startAtFirst, onPick }: Options) {
  const [moved, setMoved] = useState<string | null>(null);
  const kept = moved !== null && slugs.includes(moved) ? moved : null;
  const activeSlug = kept ?? (startAtFirst ? (slugs[0] ?? null) : null);
  const activeId = activeSlug === null ? undefined : optionId(listId, activeSlug);

  useEffect(() => {
    if (kept !== null) document.getElementById(optionId(listId, kept))?.scrollIntoView({ block: "nearest" });
  }, [kept, listId]);

  const move = (step: 1 | -1) => {
    const at = activeSlug === null ? (step === 1 ? -1 : 0) : slugs.indexOf(activeSlug);
    setMoved(slugs.at((at + step) % slugs.length) ?? null);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || slugs.length === 0) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" && activeSlug !== null) onPick(activeSlug);
    else return;
    event.preventDefault();
  };

  return { activeSlug, activeId, onKeyDown };
}

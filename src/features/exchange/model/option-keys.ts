/** How far a page of the list goes: about what is seen of it. */
const PAGE = 8;

/**
 * Where a key of the combobox leads from the option at `from` (-1 when there is none) among `count` of them; null for a
 * key that does not move. Arrows go round, pages stop at the ends (WAI-ARIA combobox with a list box).
 */
export function optionAfterKey(key: string, from: number, count: number): number | null {
  if (count === 0) return null;
  const last = count - 1;
  switch (key) {
    case "ArrowDown":
      return from === last ? 0 : from + 1;
    case "ArrowUp":
      return from <= 0 ? last : from - 1;
    case "Home":
      return 0;
    case "End":
      return last;
    case "PageDown":
      return Math.min(last, Math.max(0, from) + PAGE);
    case "PageUp":
      return Math.max(0, from - PAGE);
    default:
      return null;
  }
}

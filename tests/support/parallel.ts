/** Works through the items in `lanes` lanes, each item after the other; returns the results in the order of the items. */
export async function inLanes<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

type PairSlugs = { from: string; to: string };

/** The `{pair}` of `/exchange-{pair}` (spec §2); `parsePairSlug` reads it. */
export const formatPairSlug = ({ from, to }: PairSlugs): string => `${from}-${to}`;

/**
 * Reads `{from}-{to}` of `/exchange-{pair}` against the catalogue, since slugs hold hyphens themselves.
 * Null for an unknown slug, one slug twice, or two readings (contract §2).
 */
export function parsePairSlug(pair: string, slugs: ReadonlySet<string>): PairSlugs | null {
  const readings = pairReadings(pair, slugs);
  return readings.length === 1 ? (readings[0] ?? null) : null;
}

/** The pairs of a catalogue that can be read in two ways; any is a start-up error (contract §2). */
export function ambiguousPairs(slugs: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const from of slugs) {
    for (const to of slugs) {
      const pair = formatPairSlug({ from, to });
      if (from !== to && pairReadings(pair, slugs).length > 1) found.add(pair);
    }
  }
  return [...found];
}

function pairReadings(pair: string, slugs: ReadonlySet<string>): PairSlugs[] {
  const readings: PairSlugs[] = [];
  for (let at = pair.indexOf("-"); at !== -1; at = pair.indexOf("-", at + 1)) {
    const from = pair.slice(0, at);
    const to = pair.slice(at + 1);
    if (from !== to && slugs.has(from) && slugs.has(to)) readings.push({ from, to });
  }
  return readings;
}

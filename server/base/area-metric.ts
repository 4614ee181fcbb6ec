export type MetricValue = { labels: Record<string, string>; value: number };

/** A gauge of an area, read when it is collected. One that comes from rows has no values while the database does not answer. */
export type AreaMetric = {
  name: string;
  help: string;
  labelNames: string[];
  source: "rows" | "memory";
  read(): MetricValue[] | Promise<MetricValue[]>;
};

export type CountedRow = { network: string; reason?: string | null; count: number };

/** The values of what is counted by network, or by network and reason. */
export const countsByNetwork = (rows: readonly CountedRow[]): MetricValue[] =>
  rows.map(({ network, reason, count }) => {
    const labels: Record<string, string> = reason === undefined ? { network } : { network, reason: reason ?? "" };
    return { labels, value: count };
  });

import { setTimeout as delay } from "node:timers/promises";

/** What one process of a server holds, in MB. */
export type MemoryPart = {
  role: string;
  rss: number;
  /** What JavaScript has reserved, and what of it is in use. */
  heap: number;
  heapUsed: number;
  /** Buffers outside of the heap. */
  external: number;
};

const FIGURE =
  /^(process_resident_memory_bytes|nodejs_heap_size_total_bytes|nodejs_heap_size_used_bytes|nodejs_external_memory_bytes)\{role="([\w,]+)"\} (\S+)$/gm;
const FIELDS: Readonly<Record<string, Exclude<keyof MemoryPart, "role">>> = {
  process_resident_memory_bytes: "rss",
  nodejs_heap_size_total_bytes: "heap",
  nodejs_heap_size_used_bytes: "heapUsed",
  nodejs_external_memory_bytes: "external",
};

/** The memory of each process of a server by its own figures, from the page that METRICS_PORT serves. */
export async function memoryParts(metricsPort: number): Promise<MemoryPart[]> {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  if (!answer.ok) throw new Error(`the metrics answered ${answer.status}`);
  const parts = new Map<string, MemoryPart>();
  for (const [, name = "", role = "", bytes] of (await answer.text()).matchAll(FIGURE)) {
    const part = parts.get(role) ?? { role, rss: 0, heap: 0, heapUsed: 0, external: 0 };
    const field = FIELDS[name];
    if (field !== undefined) part[field] = Math.round(Number(bytes) / 2 ** 20);
    parts.set(role, part);
  }
  if (parts.size === 0) throw new Error("the metrics name no process");
  return [...parts.values()];
}

const LOOK_EVERY_MS = 2_000;
const SETTLED_AFTER_MS = 30_000;

/**
 * The same once it has stopped falling for half a minute. While calls come in, the heap of a process swings by a hundred MB and more
 * between two collections: only what it keeps when they end can tell a leak from garbage.
 */
export async function settledMemory(metricsPort: number): Promise<MemoryPart[]> {
  let least = await memoryParts(metricsPort);
  for (let fellAt = Date.now(); Date.now() - fellAt < SETTLED_AFTER_MS;) {
    await delay(LOOK_EVERY_MS);
    const parts = await memoryParts(metricsPort);
    if (totalMb(parts) >= totalMb(least)) continue;
    least = parts;
    fellAt = Date.now();
  }
  return least;
}

export const describeParts = (parts: readonly MemoryPart[]): string =>
  parts
    .map(
      ({ role, rss, heap, heapUsed, external }) =>
        `${role} ${rss} MB (heap ${heapUsed} of ${heap}, buffers ${external}, the rest ${rss - heap - external})`,
    )
    .join(", ");

export const totalMb = (parts: readonly MemoryPart[]): number => parts.reduce((sum, { rss }) => sum + rss, 0);

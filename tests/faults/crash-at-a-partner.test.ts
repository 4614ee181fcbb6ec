import { describe, expect, it } from "vitest";
import { CrashPoints } from "../support/crash-points.ts";
import { freshDatabase } from "../support/database.ts";
import { PartnerLife, type Conduct } from "../support/partners/partner-life.ts";

/** A life has at least these points; fewer would mean that a call or a transaction went round the counter. */
const FEWEST_POINTS = { delivers: 60, returns: 80 };
const PAIRS = 8;
/** A dead process's request is not waited for long. */
const TIMEOUT_MS = 5_000;

type Lived = { broken: string[]; died: string[]; names: string[] };

/** Lives one swap at a partner whose first processes die at the given points. */
async function liveThrough(conduct: Conduct, crashes: readonly number[], partner = "changenow"): Promise<Lived> {
  await using database = await freshDatabase({ max: 1 });
  const life = await new PartnerLife(database.url).start();
  try {
    life.timeoutMs = TIMEOUT_MS;
    life.rates.provider = partner;
    life.rates.partners.clear();
    life.quote(partner, 2990n);
    for (const desk of Object.values(life.desks)) desk.conduct = conduct;
    await life.begin();
    const died: string[] = [];
    for (const crashAt of crashes) {
      const name = await life.live(new CrashPoints(crashAt));
      if (name !== null) died.push(name);
    }
    const last = new CrashPoints(0);
    await life.live(last);
    return { broken: await life.violations(), died, names: last.names };
  } finally {
    await life.stop();
  }
}

describe.each(["delivers", "returns"] as const)("a process that dies while a partner %s", (conduct) => {
  it("pays the partner once and the customer once, whichever point it is", async () => {
    const { broken, names } = await liveThrough(conduct, []);
    const points = names.length;
    process.stdout.write(`crash points of a life in which a partner ${conduct}: N = ${points}\n`);
    expect(broken).toEqual([]);
    expect(points).toBeGreaterThanOrEqual(FEWEST_POINTS[conduct]);
    const failures: string[] = [];
    for (let crashAt = 1; crashAt <= points; crashAt += 1) {
      const life = await liveThrough(conduct, [crashAt]);
      if (life.died.length !== 1) failures.push(`k = ${crashAt}: nothing died`);
      failures.push(...life.broken.map((what) => `k = ${crashAt} (${life.died.join()}): ${what}`));
    }
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const first = 1 + ((pair * 7919) % points);
      const second = 1 + ((pair * 104_729) % Math.max(1, points - first));
      const life = await liveThrough(conduct, [first, second]);
      failures.push(...life.broken.map((what) => `k = ${first}, then ${second} (${life.died.join(", ")}): ${what}`));
    }
    expect(failures).toEqual([]);
  });
});

describe("a process that dies while it opens an exchange at a partner that can't be asked for it", () => {
  it("leaves one behind that nobody pays, and pays another", async () => {
    const { names } = await liveThrough("delivers", [], "sideshift");
    const openings = names.flatMap((name, index) => (name.startsWith("open,") ? [index + 1] : []));
    expect(openings).toHaveLength(2);
    const failures: string[] = [];
    for (const crashAt of openings.flatMap((point) => [point - 1, point, point + 1, point + 2])) {
      const { broken, died } = await liveThrough("delivers", [crashAt], "sideshift");
      failures.push(...broken.map((what) => `k = ${crashAt} (${died.join()}): ${what}`));
    }
    expect(failures).toEqual([]);
  });
});

import { it } from "vitest";
import { runSeeds } from "./run-seeds.ts";

// The other half runs at the same time, on the other core.
it("breaks no law of money in ten runs under faults", () => runSeeds(1));

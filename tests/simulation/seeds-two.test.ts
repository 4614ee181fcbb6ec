import { it } from "vitest";
import { runSeeds } from "./run-seeds.ts";

it("breaks no law of money in ten more runs under faults", () => runSeeds(1001));

import { it } from "vitest";
import { runSeeds } from "./run-seeds.ts";

it("breaks no law of money in another five thousand faulty scenarios", () => runSeeds(1001));

import { it } from "vitest";
import { storm } from "./storm.ts";

// The other half plays at the same time, on the other core.
it("breaks no law of money in five thousand faulty scenarios", () => storm(1));

import { it } from "vitest";
import { storm } from "./storm.ts";

it("breaks no law of money in another five thousand faulty scenarios", () => storm(1001));

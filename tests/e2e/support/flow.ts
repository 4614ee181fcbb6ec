import { FLOW, type FlowName, FLOWS, walkOf } from "./flows.ts";
import { test } from "./test.ts";

type Body = Parameters<typeof test>[2];

/** Declares a flow of the table once for each of its walks. The body reads its texts from `texts` and acts as `person`. */
export function flow(name: FlowName, body: Body): void {
  for (const walkName of FLOWS[name].walks) {
    const { width, language, theme, input } = walkOf(walkName);
    const annotation = [
      { type: FLOW, description: name },
      ...Object.entries({ width, language, theme, input }).map(([type, description]) => ({ type, description })),
    ];
    test.describe(walkName, { tag: `@${width}`, annotation }, () => {
      test.use({ lang: language, colorScheme: theme, input });
      test(name, body);
    });
  }
}

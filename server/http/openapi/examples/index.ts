import type { CallName } from "#contract/calls.ts";
import { accountExamples } from "./accounts.ts";
import { cardExamples } from "./cards.ts";
import { earningsExamples } from "./earnings.ts";
import type { ExamplesOf } from "./example.ts";
import { orderExamples } from "./orders.ts";
import { programExamples } from "./programs.ts";
import { rateExamples } from "./rates.ts";
import { siteExamples } from "./site.ts";

export type { Example } from "./example.ts";

/** One exchange of every call; the type leaves out none. */
export const EXAMPLES: ExamplesOf<CallName> = {
  ...orderExamples,
  ...rateExamples,
  ...accountExamples,
  ...programExamples,
  ...earningsExamples,
  ...cardExamples,
  ...siteExamples,
};

import type { Call, CallName } from "#contract/calls.ts";
import { accountFailures } from "./accounts.ts";
import { cardFailures } from "./cards.ts";
import { earningsFailures } from "./earnings.ts";
import type { CallFailure, FailuresOf } from "./failure.ts";
import { orderFailures } from "./orders.ts";
import { programFailures } from "./programs.ts";
import { rateFailures } from "./rates.ts";
import { sharedFailures } from "./shared.ts";
import { siteFailures } from "./site.ts";

/** How each call fails beside what it has in common with others. */
const OWN: FailuresOf<CallName> = {
  ...orderFailures,
  ...rateFailures,
  ...accountFailures,
  ...programFailures,
  ...earningsFailures,
  ...cardFailures,
  ...siteFailures,
};

/** Every way a call fails: its own ones first. */
export const failuresOf = (name: CallName, call: Call): CallFailure[] => [...OWN[name], ...sharedFailures(call)];

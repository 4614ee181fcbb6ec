import * as z from "zod";
import { HELD_HELP } from "./held-commands.ts";
import { RECOVERY_HELP } from "./recovery-commands.ts";
import { OperatorError } from "./operator-audit.ts";
import type { KillSwitch, Switches } from "./port.ts";

const OPERATOR_HELP = `npm run admin -- status
npm run admin -- refund-only on <why>
npm run admin -- refund-only off
npm run admin -- stop <quote|accept|pay> <*|network|slug> <from|to|both> <why>
npm run admin -- release <quote|accept|pay> <*|network|slug> <from|to|both>
${HELD_HELP}
${RECOVERY_HELP}`;

const switchWords = z.tuple([z.enum(["quote", "accept", "pay"]), z.string().min(1), z.enum(["from", "to", "both"])]);

/**
 * Runs an operator's command and returns its output. `isScope` knows the networks and instruments, so that a switch
 * never misses its target by a typo. Throws `OperatorError`.
 */
export async function runOperatorCommand(
  switches: Switches,
  isScope: (scope: string) => boolean,
  [command, ...words]: readonly string[],
): Promise<string> {
  switch (command) {
    case "status":
      break;
    case "help":
      return OPERATOR_HELP;
    case "refund-only":
      await setMode(switches, words);
      break;
    case "stop":
      await switches.stop({ ...readSwitch(isScope, words.slice(0, 3)), reason: readReason(words.slice(3)) });
      break;
    case "release":
      if (!(await switches.release(readSwitch(isScope, words)))) throw new OperatorError("That is not stopped.");
      break;
    default:
      throw new OperatorError(OPERATOR_HELP);
  }
  return describe(await switches.refundOnlyNow(), await switches.list());
}

async function setMode(switches: Switches, [mode, ...why]: readonly string[]): Promise<void> {
  if (mode === "on") return switches.setRefundOnly(readReason(why));
  if (mode !== "off" || why.length > 0) throw new OperatorError(OPERATOR_HELP);
  await switches.setRefundOnly(null);
}

function readSwitch(isScope: (scope: string) => boolean, words: readonly string[]): Omit<KillSwitch, "reason"> {
  const read = switchWords.safeParse(words);
  if (!read.success) throw new OperatorError(OPERATOR_HELP);
  const [action, scope, direction] = read.data;
  if (scope !== "*" && !isScope(scope)) throw new OperatorError(`${scope} is neither a network nor an instrument.`);
  return { action, scope, direction };
}

function readReason(words: readonly string[]): string {
  const reason = words.join(" ").trim();
  if (reason === "") throw new OperatorError("Say why: whoever reads this later will want to know.");
  return reason;
}

function describe(mode: string | null, stopped: readonly KillSwitch[]): string {
  const lines = stopped.map(
    ({ action, scope, direction, reason }) => `stopped: ${action} ${scope} ${direction} (${reason})`,
  );
  return [
    mode === null ? "refund-only: off" : `refund-only: on (${mode})`,
    ...(lines.length > 0 ? lines : ["nothing is stopped"]),
  ].join("\n");
}

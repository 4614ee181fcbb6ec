import * as z from "zod";
import { OperatorError, readOperator, readOptions, refuseArguments, storedNetwork } from "../../admin/index.ts";
import type { Decided, KillSwitch, Switches } from "../port.ts";

export const SWITCH_HELP = `npm run admin -- status
npm run admin -- refund-only <on|off> REASON --as NAME
npm run admin -- stop <quote|accept|pay> <*|network|slug> <from|to|both> REASON --as NAME
npm run admin -- release <quote|accept|pay> <*|network|slug> <from|to|both> REASON --as NAME`;

const switchWords = z.tuple([z.enum(["quote", "accept", "pay"]), z.string().min(1), z.enum(["from", "to", "both"])]);

/**
 * Runs a command on what is stopped and returns its output; also says that there is no such command, so it is asked last. `isScope` knows the networks and instruments, so that a switch
 * never misses its target by a typo; `help` lists all commands, those of other areas too. Throws `OperatorError`.
 */
export async function runSwitchCommand(
  switches: Switches,
  isScope: (scope: string) => boolean,
  [command, ...given]: readonly string[],
  help: string = SWITCH_HELP,
): Promise<string> {
  const { words, options } = readOptions(given);
  switch (command) {
    case "status":
      refuseArguments(readOptions(given, []).words, SWITCH_HELP);
      break;
    case "help":
      return help;
    case "refund-only": {
      const [mode, ...why] = words;
      if (mode !== "on" && mode !== "off") throw new OperatorError(SWITCH_HELP);
      const by = readOperator(options, why);
      await switches.setRefundOnly(mode === "on" ? by.reason : null, by);
      break;
    }
    case "stop": {
      const one = readSwitch(isScope, words.slice(0, 3));
      const by = readOperator(options, words.slice(3));
      await switches.stop({ ...one, reason: by.reason }, by);
      break;
    }
    case "release": {
      const one = readSwitch(isScope, words.slice(0, 3));
      if (!(await switches.release(one, readOperator(options, words.slice(3)))))
        throw new OperatorError("That is not stopped.");
      break;
    }
    default:
      throw new OperatorError(`${command === undefined ? "" : `There is no command ${command}.\n`}${help}`);
  }
  return describe(await switches.refundOnlyDecided(), await switches.list());
}

function readSwitch(isScope: (scope: string) => boolean, words: readonly string[]): Omit<KillSwitch, "reason"> {
  const read = switchWords.safeParse(words);
  if (!read.success) throw new OperatorError(`"${words.join(" ")}" names no switch.\n${SWITCH_HELP}`);
  const [action, named, direction] = read.data;
  const scope = [named, storedNetwork(named), named.toLowerCase()].find((one) => one === "*" || isScope(one));
  if (scope === undefined) throw new OperatorError(`${named} is neither a network nor an instrument.`);
  return { action, scope, direction };
}

function describe(
  mode: Awaited<ReturnType<Switches["refundOnlyDecided"]>>,
  stopped: Awaited<ReturnType<Switches["list"]>>,
): string {
  const lines = stopped.map((one) => {
    const { action, scope, direction, reason, cause } = one;
    return `stopped: ${action} ${scope} ${direction} (${reason})${saidBy({ ...one, operator: cause === "operator" ? one.operator : `the ${cause}` })}`;
  });
  const nothing = mode === null ? "nothing is stopped" : "nothing else is stopped";
  return [
    mode === null ? "refund-only: off" : `refund-only: on (${mode.reason})${saidBy(mode)}`,
    ...(lines.length > 0 ? lines : [nothing]),
  ].join("\n");
}

function saidBy({ operator, since }: Decided): string {
  const at = since === null ? "" : ` since ${since.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return operator === null && at === "" ? "" : `,${operator === null ? "" : ` by ${operator}`}${at}`;
}

import { messenger } from "../../telegram/sdk/current.ts";
import type { Feeling } from "../../telegram/sdk/haptics.ts";

/** Lets the hand feel what happened, where a messenger shows the app; the web has nothing that vibrates (ui.md §4). */
export const feel = (feeling: Feeling): void => messenger()?.feel(feeling);

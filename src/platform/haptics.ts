import { messenger } from "./messenger/current.ts";
import type { Feeling } from "./messenger/haptics.ts";

/** Lets the hand feel what happened, where a messenger shows the app; the web has nothing that vibrates (ui.md §4). */
export const feel = (feeling: Feeling): void => messenger()?.feel(feeling);

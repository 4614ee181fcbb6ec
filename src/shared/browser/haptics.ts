/** Events with haptic feedback. */
export type Haptic = "copy" | "swap" | "completed" | "warning" | "failed";

let play: (haptic: Haptic) => void = () => undefined;

/** Browsers get no vibration; `src/telegram` provides the client's haptics. */
export function provideHaptics(provided: typeof play): void {
  play = provided;
}

/** Plays it where the Telegram client can; does nothing elsewhere, and before the client is loaded. */
export const playHaptic = (haptic: Haptic): void => play(haptic);

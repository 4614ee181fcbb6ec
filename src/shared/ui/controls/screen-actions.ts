import { createContext, use, useEffect, useEffectEvent, useId } from "react";
import { proxy, useSnapshot } from "valtio";

export type ActionSlot = "main" | "secondary";

/** A button of the screen as a shell with buttons of its own shows it. */
export type ScreenAction = {
  readonly text: string;
  readonly isEnabled: boolean;
  readonly isBusy: boolean;
  readonly press: () => void;
};

type RegisteredAction = ScreenAction & {
  readonly id: string;
  readonly slot: ActionSlot;
  /** The dialog that the button belongs to, or the page. */
  readonly layer: string;
};

const PAGE = "page";

const screen = proxy({
  /** The buttons that the shell can show in place of the page's: none on the web. */
  available: { main: false, secondary: false },
  /** Screens with a tab bar keep their own buttons. */
  hasTabs: true,
  /** Open dialogs, the topmost last. */
  dialogs: [] as { readonly id: string; readonly close: () => void }[],
  actions: [] as RegisteredAction[],
});

/** Says which buttons the shell can show. */
export function setNativeButton(slot: ActionSlot, isAvailable: boolean): void {
  screen.available[slot] = isAvailable;
}

type ScreenActions = Readonly<Record<ActionSlot, ScreenAction | null>>;
const NO_ACTIONS: ScreenActions = { main: null, secondary: null };

type ActionsState = {
  readonly hasTabs: boolean;
  readonly dialogs: readonly { readonly id: string }[];
  readonly actions: readonly RegisteredAction[];
};

/**
 * The actions of the topmost dialog, else of the page; null for a button that is hidden.
 * @internal
 */
export function actionsOf({ hasTabs, dialogs, actions }: ActionsState): ScreenActions {
  if (hasTabs) return NO_ACTIONS;
  const top = dialogs.at(-1)?.id ?? PAGE;
  const find = (slot: ActionSlot) => actions.findLast((action) => action.layer === top && action.slot === slot) ?? null;
  const [main, secondary] = [find("main"), find("secondary")];
  if (main === null) return NO_ACTIONS;
  // While the main action runs, no other can start.
  return { main, secondary: secondary && { ...secondary, isEnabled: secondary.isEnabled && !main.isBusy } };
}

/** The actions that the shell shows now; null for a button that is hidden. */
export const useScreenActions = (): ScreenActions => actionsOf(useSnapshot(screen));

/** Presses the current action, as the shell's button does. */
export function pressAction(slot: ActionSlot): void {
  const action = actionsOf(screen)[slot];
  if (action?.isEnabled === true) action.press();
}

/** How many dialogs are open. */
export const useOpenDialogs = (): number => useSnapshot(screen).dialogs.length;

/** The same outside of components. */
export const openDialogs = (): number => screen.dialogs.length;

/** Closes the topmost dialog as its own button does; nothing where none is open. */
export const closeTopDialog = (): void => screen.dialogs.at(-1)?.close();

/** The frame says whether the screen has a tab bar. */
export function useTabsOnScreen(hasTabs: boolean): void {
  useEffect(() => {
    screen.hasTabs = hasTabs;
  }, [hasTabs]);
}

/** The dialog around a component, for the actions inside it. */
export const LayerContext = createContext(PAGE);

/** Registers a dialog while it is open; returns its layer. */
export function useDialogLayer(open: boolean, onClose: () => void): string {
  const id = useId();
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!open) return undefined;
    screen.dialogs.push({ id, close: () => close() });
    return () => remove(screen.dialogs, id);
  }, [open, id]);
  return id;
}

type ActionProps = Omit<ScreenAction, "press">;

/** Registers a button of the page or of the dialog around it. True while the shell shows it, so that the page hides its own. */
export function useScreenAction(
  slot: ActionSlot,
  { text, isEnabled, isBusy }: ActionProps,
  onPress: () => void,
): boolean {
  const id = useId();
  const layer = use(LayerContext);
  const press = useEffectEvent(onPress);
  useEffect(() => {
    screen.actions.push({ id, slot, layer, text, isEnabled, isBusy, press: () => press() });
    return () => remove(screen.actions, id);
  }, [id, slot, layer, text, isEnabled, isBusy]);
  const { available, hasTabs, actions } = useSnapshot(screen);
  const hasMain = slot === "main" || actions.some((action) => action.layer === layer && action.slot === "main");
  return available[slot] && !hasTabs && hasMain;
}

function remove(items: { readonly id: string }[], id: string): void {
  const index = items.findIndex((item) => item.id === id);
  if (index !== -1) items.splice(index, 1);
}

import { describe, expect, test } from "vitest";
import { actionsOf } from "./screen-actions.ts";

type Actions = Parameters<typeof actionsOf>[0]["actions"];
type Action = Actions[number];

const press = () => undefined;
const action = (text: string, more: Partial<Action> = {}): Action => ({
  id: text,
  slot: "main",
  layer: "page",
  text,
  isEnabled: true,
  isBusy: false,
  press,
  ...more,
});
const CREATE = action("Create order for 0.5 ETH");
const WAITING = action("Waiting for a connection", { isEnabled: false });
const CREATING = action("Creating the order", { isEnabled: false, isBusy: true });
const SKIP = action("Without an email", { slot: "secondary" });
const dialog = { id: "dialog", close: () => undefined };
const inDialog = (one: Action): Action => ({ ...one, id: `${one.id} in the dialog`, layer: "dialog" });

const texts = (state: Partial<Parameters<typeof actionsOf>[0]>) => {
  const { main, secondary } = actionsOf({ hasTabs: false, dialogs: [], actions: [], ...state });
  return [main?.text ?? null, secondary?.text ?? null];
};

describe("the buttons of a shell, by what the screen has", () => {
  test.each<[string, Actions, (string | null)[]]>([
    ["no action", [], [null, null]],
    ["a next step", [CREATE], [CREATE.text, null]],
    ["the last of two that replace each other", [CREATE, WAITING], [WAITING.text, null]],
    ["a choice of two", [CREATE, SKIP], [CREATE.text, SKIP.text]],
    ["a secondary action alone stays on the page", [SKIP], [null, null]],
  ])("%s", (_, actions, shown) => {
    expect(texts({ actions })).toEqual(shown);
  });

  test("a screen with tabs keeps its own, its dialogs too", () => {
    expect(texts({ hasTabs: true, actions: [CREATE] })).toEqual([null, null]);
    expect(texts({ hasTabs: true, dialogs: [dialog], actions: [inDialog(CREATE), inDialog(SKIP)] })).toEqual([
      null,
      null,
    ]);
  });

  test("an open dialog's go before the page's", () => {
    expect(texts({ dialogs: [dialog], actions: [CREATE] })).toEqual([null, null]);
    expect(texts({ dialogs: [dialog], actions: [CREATE, inDialog(WAITING), inDialog(SKIP)] })).toEqual([
      WAITING.text,
      SKIP.text,
    ]);
  });

  test("no secondary action starts while the main one runs", () => {
    const state = { hasTabs: false, dialogs: [] };
    expect(actionsOf({ ...state, actions: [CREATING, SKIP] }).secondary?.isEnabled).toBe(false);
    expect(actionsOf({ ...state, actions: [WAITING, SKIP] }).secondary?.isEnabled).toBe(true);
  });
});

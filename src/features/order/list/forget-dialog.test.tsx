import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { insideTelegram, fakeTelegramClient } from "../../../telegram/testing/fake-client.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import type { Popup } from "../../../telegram/popup.ts";
import { PopupError } from "../../../telegram/popup.ts";
import type { SavedOrder } from "../store.ts";
import { at, sampleOrder } from "../testing/sample-order.ts";
import { ForgetDialog } from "./forget-dialog.tsx";

type PopUp = (popup: Popup) => Promise<string | null>;

const client = vi.hoisted(() => ({ popUp: (async () => null) as PopUp }));
vi.mock("../../../telegram/load-client.ts", () => ({
  loadTelegramClient: async () => fakeTelegramClient({ popUp: (popup) => client.popUp(popup) }),
}));

const saved: SavedOrder = {
  order: sampleOrder(["CREATION_END"], { reference: "SEND-0001" }),
  destinationAddress: "0xto",
  seenAt: at(0),
};
const told = { forgotten: 0, closed: 0 };
const NOTHING: readonly SavedOrder[] = [];

let view: View;
let leave: () => void;
const dialog = (orders: readonly SavedOrder[]) => (
  <ForgetDialog orders={orders} onClose={() => void (told.closed += 1)} onForget={() => void (told.forgotten += 1)} />
);
const isOurs = () => document.querySelector("dialog[open]") !== null;

/** Asks whether to forget the orders; the client answers as the test says. */
async function ask(answer: PopUp, orders: readonly SavedOrder[] = [saved]) {
  client.popUp = answer;
  await settled(() => view.rerender(dialog(orders)));
  await settled();
}

beforeEach(async () => {
  Object.assign(told, { forgotten: 0, closed: 0 });
  vi.spyOn(console, "debug").mockReturnValue();
  leave = insideTelegram();
  view = await render(dialog(NOTHING));
});
afterEach(async () => {
  await view.unmount();
  leave();
  vi.restoreAllMocks();
});

describe("forgetting an order inside Telegram", () => {
  test("is asked in its popup alone", async () => {
    const asked: Popup[] = [];
    await ask(async (popup) => {
      asked.push(popup);
      return "forget";
    });
    expect(asked).toEqual([
      {
        title: "Remove order SEND-0001 from this device?",
        message: "It continues without this list, but opens only by its link. Copy the link first.",
        buttons: [
          { id: "forget", type: "destructive", text: "Remove" },
          { id: "copy", type: "default", text: "Copy link" },
          { id: "cancel", type: "cancel" },
        ],
      },
    ]);
    expect(told).toEqual({ forgotten: 1, closed: 0 });
    expect(isOurs()).toBe(false);
  });

  test.each([["cancel"], [null]])("is left alone after %s", async (answer) => {
    await ask(async () => answer);
    expect(told).toEqual({ forgotten: 0, closed: 1 });
  });

  test("shows the link to copy where that is asked for", async () => {
    await ask(async () => "copy");
    expect(told).toEqual({ forgotten: 0, closed: 0 });
    expect(document.querySelector("dialog[open]")?.textContent).toContain("Copy link");
  });

  test("is asked by our own dialog where the client doesn't, and by its popup again the next time", async () => {
    await ask(() => Promise.reject(new PopupError("POPUP_BUSY")));
    expect(isOurs()).toBe(true);
    await ask(async () => null, NOTHING);
    expect(isOurs()).toBe(false);

    let asked = 0;
    await ask(async () => ((asked += 1), "forget"));
    expect(asked).toBe(1);
    expect(told.forgotten).toBe(1);
  });

  test("hears no answer to a question that is over", async () => {
    let answer: (id: string) => void = () => undefined;
    await ask(() => new Promise((give) => (answer = give)));
    await ask(async () => null, NOTHING);
    await settled(() => answer("forget"));
    expect(told).toEqual({ forgotten: 0, closed: 0 });
  });
});

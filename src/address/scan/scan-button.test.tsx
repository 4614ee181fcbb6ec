import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { insideTelegram, fakeTelegramClient } from "../../telegram/testing/fake-client.ts";
import { render, settled, type View } from "../../shared/testing/render.tsx";
import type { TelegramClient } from "../../telegram/telegram-client.ts";
import type { Scan } from "../../telegram/telegram-client.ts";
import { isReloadedToScan } from "./reload-to-scan.ts";
import { ScanButton } from "./scan-button.tsx";

const around = vi.hoisted(() => ({ telegram: null as TelegramClient | null }));
vi.mock("../../telegram/load-client.ts", () => ({ loadTelegramClient: async () => around.telegram }));
vi.mock("./scan-dialog.tsx", () => ({
  ScanDialog: ({ open }: { open: boolean }) => (open ? <p>our camera</p> : null),
}));

const found: string[] = [];
let view: View;
let leave: () => void = () => undefined;

const press = async () => {
  await settled(() => view.get("button").click());
  await vi.dynamicImportSettled();
  await settled();
};

beforeEach(async () => {
  found.length = 0;
  view = await render(<ScanButton className="" fieldId="destination-address" onFound={(text) => found.push(text)} />);
});
afterEach(async () => {
  vi.restoreAllMocks();
  Reflect.deleteProperty(document, "featurePolicy");
  await view.unmount();
  leave();
});

describe("a page whose document may not use the camera", () => {
  const documentThat = (allows: boolean) =>
    Object.assign(document, { featurePolicy: { allowsFeature: (name: string) => name !== "camera" || allows } });
  const loadAnew = async () => {
    await view.unmount();
    documentThat(true);
    view = await render(<ScanButton className="" fieldId="destination-address" onFound={(text) => found.push(text)} />);
    await vi.dynamicImportSettled();
    await settled();
  };

  test("is loaded anew, and opens the camera by itself, once", async () => {
    const reload = vi.spyOn(location, "reload").mockReturnValue();
    documentThat(false);
    await press();
    expect(reload).toHaveBeenCalledTimes(1);
    expect(view.container.textContent).not.toContain("our camera");
    await loadAnew();
    expect(view.container.textContent).toContain("our camera");
    await loadAnew();
    expect(view.container.textContent).not.toContain("our camera");
  });

  test("opens the camera for the field that asked for it, and for no other", async () => {
    vi.spyOn(location, "reload").mockReturnValue();
    documentThat(false);
    await press();
    await view.unmount();
    documentThat(true);
    view = await render(<ScanButton className="" fieldId="refund-address" onFound={(text) => found.push(text)} />);
    await vi.dynamicImportSettled();
    await settled();
    expect(view.container.textContent).not.toContain("our camera");
    expect([isReloadedToScan("refund-address"), isReloadedToScan("destination-address")]).toEqual([false, true]);
  });

  test("is not loaded anew where the camera is open, and not without a network", async () => {
    const reload = vi.spyOn(location, "reload").mockReturnValue();
    documentThat(true);
    await press();
    expect(view.container.textContent).toContain("our camera");
    documentThat(false);
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await press();
    expect(reload).not.toHaveBeenCalled();
  });

  test("opens no camera on a later visit", async () => {
    vi.spyOn(location, "reload").mockReturnValue();
    documentThat(false);
    await press();
    const later = Date.now() + 31_000;
    vi.spyOn(Date, "now").mockReturnValue(later);
    await loadAnew();
    expect(view.container.textContent).not.toContain("our camera");
  });
});

describe("a QR code is read", () => {
  test("by our camera on the web", async () => {
    await press();
    expect(view.container.textContent).toContain("our camera");
  });

  test.each<[string, Scan, { found: string[]; isOurs: boolean }]>([
    ["which finds one", { text: "bc1q" }, { found: ["bc1q"], isOurs: false }],
    ["which is closed", "closed", { found: [], isOurs: false }],
    ["which isn't there", "unavailable", { found: [], isOurs: true }],
  ])("by Telegram's scanner inside it, %s", async (_, scan, outcome) => {
    leave = insideTelegram();
    const hints: string[] = [];
    around.telegram = fakeTelegramClient({
      scanQr: async (hint) => {
        hints.push(hint);
        return scan;
      },
    });
    await press();
    expect(found).toEqual(outcome.found);
    expect(view.container.textContent?.includes("our camera")).toBe(outcome.isOurs);
    expect(hints).toEqual(["Point the camera at the QR code of the address"]);
  });

  test("by our camera where no client answers", async () => {
    leave = insideTelegram();
    around.telegram = null;
    await press();
    expect(view.container.textContent).toContain("our camera");
  });
});

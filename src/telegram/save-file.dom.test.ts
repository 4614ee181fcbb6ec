import { afterEach, describe, expect, it, vi } from "vitest";
import { saveFile } from "./save-file.ts";
import { fakeTelegramClient, insideTelegram } from "./testing/fake-client.ts";
import type { TelegramClient } from "./telegram-client.ts";

const around = vi.hoisted((): { telegram: TelegramClient | null } => ({ telegram: null }));
vi.mock("./load-client.ts", () => ({ loadTelegramClient: () => Promise.resolve(around.telegram) }));

const pageUrl = "https://wherry.test/order/1?address=0x1";
const file = new File(["%PDF"], "wherry-7KQ4-M2XD.pdf", { type: "application/pdf" });
const save = () => saveFile({ file, title: "Receipt", pageUrl });

let leave = (): void => undefined;
afterEach(() => {
  leave();
  leave = () => undefined;
  around.telegram = null;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A device whose share sheet takes files, and ends so. */
function shareSheet(end: () => Promise<void>): ReturnType<typeof vi.fn> {
  const share = vi.fn(end);
  vi.stubGlobal("navigator", { canShare: ({ files }: ShareData) => files?.length === 1, share });
  return share;
}

describe("a file is saved", () => {
  it("as a download of its name on the web", async () => {
    const downloaded: [name: string, url: string][] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      downloaded.push([this.download, this.href]);
    });
    expect(await save()).toBe("downloaded");
    expect(downloaded).toEqual([["wherry-7KQ4-M2XD.pdf", expect.stringMatching(/^blob:/)]]);
    expect(document.querySelector("a[download]")).toBeNull();
  });

  it("by the device's share sheet inside Telegram, also when the sheet was closed", async () => {
    leave = insideTelegram();
    const share = shareSheet(() => Promise.resolve());
    expect(await save()).toBe("shared");
    expect(share).toHaveBeenCalledWith({ files: [file], title: "Receipt" });
    shareSheet(() => Promise.reject(new DOMException("closed", "AbortError")));
    expect(await save()).toBe("shared");
  });

  it.each([
    ["without a share sheet", () => undefined],
    ["with one that refuses", () => void shareSheet(() => Promise.reject(new DOMException("no", "NotAllowedError")))],
  ])("in a browser that opens its page, inside Telegram %s", async (_, given) => {
    leave = insideTelegram();
    vi.spyOn(console, "warn").mockReturnValue();
    given();
    const opened: string[] = [];
    around.telegram = fakeTelegramClient({ openLink: (url) => opened.push(url) > 0 });
    expect(await save()).toBe("opened");
    expect(opened).toEqual([pageUrl]);
  });

  it("nowhere, and says so, where the client opens nothing either", async () => {
    leave = insideTelegram();
    around.telegram = fakeTelegramClient({ openLink: () => false });
    expect(await save()).toBe("unsupported");
    around.telegram = null;
    expect(await save()).toBe("unsupported");
  });
});

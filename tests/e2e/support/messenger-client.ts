import type { Page } from "@playwright/test";
import { SANDBOX_BOT_TOKEN } from "../../../server/config-telegram.ts";
import { launchData } from "../../support/launch-data.ts";

export type Theme = Readonly<Record<string, string>>;

/** Telegram's own palettes. */
export const DAY: Theme = {
  bg_color: "#ffffff",
  text_color: "#000000",
  hint_color: "#707579",
  link_color: "#2481cc",
  button_color: "#2481cc",
  button_text_color: "#ffffff",
  secondary_bg_color: "#efeff4",
  section_bg_color: "#ffffff",
  section_separator_color: "#e3e3e4",
  subtitle_text_color: "#999999",
  accent_text_color: "#2481cc",
  destructive_text_color: "#e53935",
  bottom_bar_bg_color: "#f2f2f2",
};
export const NIGHT: Theme = {
  bg_color: "#17212b",
  text_color: "#f5f5f5",
  hint_color: "#708499",
  link_color: "#6ab3f3",
  button_color: "#5288c1",
  button_text_color: "#ffffff",
  secondary_bg_color: "#232e3c",
  section_bg_color: "#17212b",
  subtitle_text_color: "#708499",
  accent_text_color: "#6ab2f2",
  destructive_text_color: "#ec3942",
  bottom_bar_bg_color: "#1d2a36",
};

/** No two colours of it can be told apart. */
export const HOSTILE: Theme = {
  ...Object.fromEntries(Object.keys(DAY).map((name) => [name, "#808080"])),
  hint_color: "#7f7f7f",
  button_color: "#ffff00",
  button_text_color: "#ffffff",
  accent_text_color: "#ffff00",
};

type Posted = [name: string, data: unknown];

type ClientOptions = {
  /** What it answers to what it is asked; nothing without any. */
  readonly answers?: Readonly<Record<string, Posted>>;
};

/** A native client of the messenger: takes what the app posts, answers what it can, and tells the app what its user does. */
export class Client {
  readonly posted: Posted[] = [];
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async around(page: Page, { answers = {} }: ClientOptions = {}): Promise<Client> {
    const client = new Client(page);
    await page.exposeFunction("postedToClient", (name: string, data?: string) => {
      client.posted.push([name, JSON.parse(data ?? "null")]);
    });
    await page.addInitScript((given) => {
      type Told = {
        postedToClient(name: string, data?: string): void;
        Telegram: { WebView: { receiveEvent(name: string, data: unknown): void } };
      };
      const told = window as unknown as Told;
      const postEvent = (name: string, data?: string) => {
        told.postedToClient(name, data);
        const answer = given[name];
        // As from another process: never while it is being asked.
        if (answer !== undefined) setTimeout(() => told.Telegram.WebView.receiveEvent(...answer));
      };
      Object.assign(window, { TelegramWebviewProxy: { postEvent } });
    }, answers);
    return client;
  }

  of(name: string): unknown[] {
    return this.posted.filter(([posted]) => posted === name).map(([, data]) => data);
  }

  last = (name: string): unknown => this.of(name).at(-1) ?? null;

  async tell(name: string, data: unknown = null): Promise<void> {
    await this.#page.evaluate(
      ([event, payload]) => {
        const { Telegram } = window as unknown as {
          Telegram: { WebView: { receiveEvent(name: string, data: unknown): void } };
        };
        Telegram.WebView.receiveEvent(event as string, payload);
      },
      [name, data],
    );
  }
}

export const ANN = 279_058_397;

/** What a client signs for its user, who may be unknown to the service. */
export const initDataOf = (userId: number, token: string = SANDBOX_BOT_TOKEN): string =>
  launchData(token, {
    auth_date: String(Math.floor(Date.now() / 1000)),
    signature: "x",
    user: JSON.stringify({ id: userId, first_name: "Ann", language_code: "en" }),
  });

/** The hash of an address that a client opens. */
export const launchHash = (initData: string, { theme = NIGHT, version = "8.0", platform = "ios" } = {}): string =>
  `#${new URLSearchParams({
    tgWebAppData: initData,
    tgWebAppVersion: version,
    tgWebAppPlatform: platform,
    tgWebAppThemeParams: JSON.stringify(theme),
  }).toString()}`;

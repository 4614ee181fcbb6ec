import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { DAY, NIGHT } from "../../../src/telegram/testing/sample-palettes.ts";
import { SANDBOX_BOT_TOKEN } from "../../../server/config/telegram.ts";
import { launchData } from "../../support/services/launch-data.ts";

export type Theme = Readonly<Record<string, string>>;

/** A theme in which no two colours can be distinguished. */
export const HOSTILE: Theme = {
  ...Object.fromEntries(Object.keys(DAY).map((name) => [name, "#808080"])),
  hint_color: "#7f7f7f",
  button_color: "#ffff00",
  button_text_color: "#ffffff",
  accent_text_color: "#ffff00",
};

type Posted = [name: string, data: unknown];

type ClientOptions = {
  /** Its answers to the app's events; none by default. */
  readonly answers?: Readonly<Record<string, Posted>>;
};

/** A native Telegram client: receives what the app posts, answers some of it, and sends the app its user's actions. */
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
      type Client = {
        postedToClient(name: string, data?: string): void;
        Telegram: { WebView: { receiveEvent(name: string, data: unknown): void } };
      };
      const client = window as unknown as Client;
      const postEvent = (name: string, data?: string) => {
        client.postedToClient(name, data);
        const answer = given[name];
        // As from another process: never during the call.
        if (answer !== undefined) setTimeout(() => client.Telegram.WebView.receiveEvent(...answer));
      };
      Object.assign(window, { TelegramWebviewProxy: { postEvent } });
    }, answers);
    return client;
  }

  of(name: string): unknown[] {
    return this.posted.filter(([posted]) => posted === name).map(([, data]) => data);
  }

  last = (name: string): unknown => this.of(name).at(-1) ?? null;

  async emit(name: string, data: unknown = null): Promise<void> {
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

/** What a client signs for its user, who may be unknown to the service. Each launch has a session of its own. */
export const initDataOf = (userId: number, token: string = SANDBOX_BOT_TOKEN): string =>
  launchData(token, {
    auth_date: String(Math.floor(Date.now() / 1000)),
    // Equal ones would be one launch, and either's log-out would end the other's session.
    signature: randomUUID(),
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

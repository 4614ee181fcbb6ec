import type { Frame, Page } from "@playwright/test";

const WEB_CLIENT = "https://web.telegram.org";

const PARENT = `<!doctype html><title>Telegram</title><meta name="viewport" content="width=device-width">`;

type Posted = { readonly eventType: string; readonly eventData: unknown };
/** The event that answers a request, by the request's name; others are not answered. */
type Answers = Readonly<Record<string, Posted>>;

type Parent = {
  postedByApp(message: Posted): void;
  say(message: Posted): void;
};

/**
 * Telegram's web client at its true origin, with the app in a frame: they talk by `postMessage`, as JSON of an event's type and data. Chromium denies
 * storage and cookies to such a frame.
 */
export class TelegramWebClient {
  readonly posted: Posted[] = [];
  readonly answers: Record<string, Posted> = {};
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async around(page: Page, answers: Answers = {}): Promise<TelegramWebClient> {
    const client = new TelegramWebClient(page);
    Object.assign(client.answers, answers);
    // A public page may frame one of this computer when its reader allows it.
    await page.context().grantPermissions(["local-network-access"], { origin: WEB_CLIENT });
    await page.exposeFunction("postedByApp", async (message: Posted) => {
      client.posted.push(message);
      const answer = client.answers[message.eventType];
      if (answer !== undefined) await client.#say(answer);
    });
    await page.route(`${WEB_CLIENT}/**`, (route) => route.fulfill({ contentType: "text/html", body: PARENT }));
    return client;
  }

  /** Opens the app at an address, with the launch data in its hash. */
  async open(address: string): Promise<Frame> {
    this.posted.length = 0;
    await this.#page.goto(`${WEB_CLIENT}/a/`);
    await this.#page.evaluate((src) => {
      const frame = document.body.appendChild(document.createElement("iframe"));
      Object.assign(frame, { src, title: "Mini app", allow: "clipboard-write" });
      Object.assign(frame.style, { position: "fixed", inset: "0", width: "100%", height: "100%", border: "0" });
      const parent = window as unknown as Parent;
      parent.say = (message) => frame.contentWindow?.postMessage(JSON.stringify(message), "*");
      addEventListener("message", ({ source, data }) => {
        if (source === frame.contentWindow) parent.postedByApp(JSON.parse(data as string) as Posted);
      });
    }, address);
    const frame = await (await this.#page.waitForSelector("iframe")).contentFrame();
    if (frame === null) throw new Error("the app has no frame");
    return frame;
  }

  of = (eventType: string): unknown[] =>
    this.posted.filter((message) => message.eventType === eventType).map(({ eventData }) => eventData);

  /** Sends a user's action. */
  say = (eventType: string, eventData: unknown = null): Promise<void> => this.#say({ eventType, eventData });

  #say = (message: Posted): Promise<void> =>
    this.#page.evaluate((said) => (window as unknown as Parent).say(said), message);
}

type Posted = readonly [name: string, data: unknown];
type Receiver = { Telegram: { WebView: { receiveEvent(name: string, data: unknown): void } } };

type Launch = {
  readonly version?: string;
  readonly platform?: string;
  /** Beside the version and the platform. */
  readonly more?: Readonly<Record<string, string>>;
};

/** A Telegram client around the test's page: takes what the SDK posts, and sends events. */
export class FakeEnvironment {
  readonly posted: Posted[] = [];
  /** A client that fails throws here. */
  failure: Error | null = null;

  constructor({ version = "8.0", platform = "ios", more = {} }: Launch = {}) {
    const params = { tgWebAppVersion: version, tgWebAppPlatform: platform, tgWebAppThemeParams: "{}", ...more };
    location.hash = new URLSearchParams(params).toString();
    const postEvent = (name: string, data?: string) => {
      if (this.failure !== null) throw this.failure;
      this.posted.push([name, data === undefined ? undefined : JSON.parse(data)]);
    };
    Object.assign(window, { TelegramWebviewProxy: { postEvent } });
  }

  of = (name: string): unknown[] => this.posted.filter(([posted]) => posted === name).map(([, data]) => data);

  last = (name: string): unknown => this.of(name).at(-1);

  names = (): Set<string> => new Set(this.posted.map(([name]) => name));

  send(name: string, data: unknown = null): void {
    (window as unknown as Receiver).Telegram.WebView.receiveEvent(name, data);
  }

  /** Leaves the page as a website. */
  static end(): void {
    history.replaceState(null, "", location.pathname + location.search);
    sessionStorage.clear();
    // The SDK's own are among them, each of which would send an event again.
    for (const name of Object.keys(window).filter((key) => key.startsWith("Telegram")))
      Reflect.deleteProperty(window, name);
  }
}

// `/embed.js`: other sites load it as it is, so it stands alone and does nothing at the top level but this.
(() => {
  const NAMES = ["from", "to", "amount", "ref", "theme", "accent", "lang", "compact", "pairs"] as const;
  /** Of the calculator, until the frame has said how high it is. */
  const FIRST_HEIGHT = 480;
  const MAX_HEIGHT = 6_000;

  // The code may be pasted twice: the first copy shows what the second one came with, and alone hears the frames.
  const first: unknown = Reflect.get(window, "wherryShow");
  if (typeof first === "function") {
    first();
    return;
  }

  const script = document.currentScript as HTMLScriptElement | null;
  const { origin } = new URL(script?.src ?? location.href);
  /** The elements of this page, by their frames: each message is handled by the one that it came from. */
  const hosts = new Map<HTMLIFrameElement, HTMLElement>();

  const addressOf = (host: HTMLElement): string => {
    const url = new URL("/embed", origin);
    for (const name of NAMES) {
      const value = host.getAttribute(name) ?? host.getAttribute(`data-${name}`);
      if (value !== null) url.searchParams.set(name, name === "compact" ? String(value !== "false") : value);
    }
    // The page's own language, unless it names another one.
    const { lang } = document.documentElement;
    if (!url.searchParams.has("lang") && lang) url.searchParams.set("lang", lang.slice(0, 2).toLowerCase());
    url.searchParams.set("parentOrigin", location.origin);
    return url.href;
  };

  const show = (host: HTMLElement): void => {
    const frame = host.querySelector("iframe") ?? document.createElement("iframe");
    const src = addressOf(host);
    const isNew = !frame.isConnected;
    hosts.set(frame, host);
    if (frame.src !== src) frame.src = src;
    if (!isNew) return;
    frame.title = host.title || "Wherry";
    frame.allow = "clipboard-write";
    frame.style.cssText = `display:block;width:100%;min-width:300px;height:${FIRST_HEIGHT}px;border:0;border-radius:16px`;
    host.append(frame);
  };

  /** Only of our origin, and only of a frame that was made here: whoever else speaks is not heard. */
  addEventListener("message", (event: MessageEvent) => {
    if (event.origin !== origin || event.source === null) return;
    for (const [frame, host] of hosts) {
      if (!frame.isConnected) hosts.delete(frame);
      else if (event.source === frame.contentWindow) tell(frame, host, event.data);
    }
  });

  const tell = (frame: HTMLIFrameElement, host: HTMLElement, message: unknown): void => {
    const { source, type, height, ...detail } = Object(message) as Record<string, unknown>;
    if (source !== "wherry" || typeof type !== "string") return;
    if (type !== "height") host.dispatchEvent(new CustomEvent(`wherry:${type}`, { detail, bubbles: true }));
    else if (typeof height === "number" && height > 0) frame.style.height = `${Math.min(height, MAX_HEIGHT)}px`;
  };

  class WherryWidget extends HTMLElement {
    static observedAttributes = NAMES.flatMap((name) => [name, `data-${name}`]);

    connectedCallback(): void {
      this.style.display ||= "block";
      show(this);
    }

    attributeChangedCallback(): void {
      if (this.isConnected) queueMicrotask(() => show(this));
    }
  }

  if (!customElements.get("wherry-widget")) customElements.define("wherry-widget", WherryWidget);
  const showAll = () => document.querySelectorAll<HTMLElement>("[data-wherry]").forEach(show);
  const begin = () => {
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", showAll);
    else showAll();
  };
  Reflect.set(window, "wherryShow", begin);
  begin();
})();

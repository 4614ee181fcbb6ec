import { Component, createRef, type ReactNode } from "react";

const root = (): HTMLElement => document.documentElement;

type StillPageProps = { readonly isShown: boolean; readonly children: ReactNode };

const OVER = "w-offline-place--over";

/** By so much the frame is higher than the screen: a page that ends on it can then be scrolled by the height of its bands. */
const ROOM = "--bands";
let roomOfAll = 0;

type Before = { readonly bottom: number; readonly isScrollable: boolean };

/**
 * A band above the page that may come and go at any time: what is being read or pressed below stays where it is. The page is scrolled
 * by the band's height, and the band lies over its beginning until the reader scrolls. A field that has the focus is never covered.
 */
export class StillPage extends Component<StillPageProps> {
  private readonly band = createRef<HTMLDivElement>();
  private room = 0;

  override componentWillUnmount(): void {
    globalThis.removeEventListener("scroll", this.rest);
    this.setRoom(0);
  }

  override getSnapshotBeforeUpdate(): Before {
    return { bottom: this.bottom(), isScrollable: root().scrollHeight > root().clientHeight };
  }

  override componentDidUpdate(before: StillPageProps, _: unknown, { bottom, isScrollable }: Before): void {
    const { isShown } = this.props;
    if (before.isShown === isShown || (isShown && document.activeElement instanceof HTMLInputElement)) return;
    this.rest();
    const from = globalThis.scrollY;
    const height = this.bottom() - bottom;
    if (isShown) this.setRoom(height);
    // One that had no scrollbar gets none: it would move the page aside.
    if (isShown && !isScrollable) root().style.scrollbarWidth = "none";
    globalThis.scrollBy({ top: height, behavior: "instant" });
    if (!isShown) this.setRoom(0);
    if (!isShown || globalThis.scrollY === from) return;
    this.band.current?.classList.add(OVER);
    // The event of this scroll itself comes with the next frame.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => globalThis.addEventListener("scroll", this.rest, { once: true, passive: true })),
    );
  }

  private readonly rest = (): void => {
    this.band.current?.classList.remove(OVER);
    root().style.scrollbarWidth = "";
  };

  private setRoom(room: number): void {
    roomOfAll += room - this.room;
    this.room = room;
    root().style.setProperty(ROOM, `${roomOfAll}px`);
  }

  /** Where the page below begins. */
  private bottom(): number {
    return this.band.current?.getBoundingClientRect().bottom ?? 0;
  }

  override render(): ReactNode {
    return (
      <div ref={this.band} role="status" className="w-offline-place">
        {this.props.children}
      </div>
    );
  }
}

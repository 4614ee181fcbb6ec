import { Component, createRef, type ReactNode } from "react";

type StillPageProps = { readonly isShown: boolean; readonly children: ReactNode };

const OVER = "w-offline-place--over";

/**
 * A band above the page that may come and go at any time: what is being read or pressed below stays where it is. The page is scrolled
 * by the band's height, and the band lies over its beginning until the reader scrolls. A field that has the focus is never covered.
 */
export class StillPage extends Component<StillPageProps> {
  private readonly band = createRef<HTMLDivElement>();

  override componentWillUnmount(): void {
    globalThis.removeEventListener("scroll", this.rest);
  }

  override getSnapshotBeforeUpdate(): number {
    return this.bottom();
  }

  override componentDidUpdate(before: StillPageProps, _: unknown, bottomBefore: number): void {
    const { isShown } = this.props;
    if (before.isShown === isShown || (isShown && document.activeElement instanceof HTMLInputElement)) return;
    this.rest();
    const from = globalThis.scrollY;
    globalThis.scrollBy({ top: this.bottom() - bottomBefore, behavior: "instant" });
    if (!isShown || globalThis.scrollY === from) return;
    this.band.current?.classList.add(OVER);
    // The event of this scroll itself comes with the next frame.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => globalThis.addEventListener("scroll", this.rest, { once: true, passive: true })),
    );
  }

  private readonly rest = (): void => this.band.current?.classList.remove(OVER);

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

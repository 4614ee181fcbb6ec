import { afterEach, expect, it, vi } from "vitest";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { ArticleBody } from "./article-body.tsx";

const HTML = `<p>Call it:</p><div class="highlight"><pre tabindex="0"><code>curl a\ncurl b\n</code></pre></div><pre><code>npm ci\n</code></pre>`;

let view: View;
const writeText = vi.fn(async () => undefined);
afterEach(async () => {
  await view.unmount();
  vi.restoreAllMocks();
  writeText.mockClear();
});

const buttons = () => [...view.container.querySelectorAll<HTMLButtonElement>(".w-code-block button")];

it("copies each block of code by a button of its own, and says that it did", async () => {
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue({ writeText } as unknown as Clipboard);
  view = await render(<ArticleBody html={HTML} className="w-docs__text" />);
  expect(buttons().map((button) => button.getAttribute("aria-label"))).toEqual(["Copy the code", "Copy the code"]);
  await settled(() => buttons()[0]?.click());
  expect(writeText.mock.calls).toEqual([["curl a\ncurl b"]]);
  expect(view.container.querySelector('.w-code-block [role="status"]')?.textContent).toBe("Copied");
});

it("has the buttons of the article that is open now", async () => {
  view = await render(<ArticleBody html={HTML} className="w-docs__text" />);
  await view.rerender(<ArticleBody html="<pre><code>other</code></pre>" className="w-docs__text" />);
  expect(view.container.querySelectorAll("pre")).toHaveLength(1);
  expect(buttons()).toHaveLength(1);
  await view.rerender(<ArticleBody html="<p>None</p>" className="w-docs__text" />);
  expect(view.container.innerHTML).not.toContain("w-code-block");
});

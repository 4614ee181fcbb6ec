import { useEffect, useRef } from "react";
import { afterEach, expect, it } from "vitest";
import { render, type View } from "../../shared/testing/render.tsx";
import { useNavigationEffects } from "./navigation-effects.ts";
import type { PageView } from "./page-view.ts";

const view: PageView = { kind: "notFound", message: "" };
const FIRST = { view, path: "/blog" };

function Field() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return <input ref={input} />;
}

function Page({ shown }: { readonly shown: typeof FIRST }) {
  useNavigationEffects(shown);
  return (
    <main id="main" tabIndex={-1}>
      {shown.path === "/docs?q=fees" ? <Field /> : null}
    </main>
  );
}

let opened: View;
afterEach(() => opened.unmount());

it("moves the focus to a page that is opened inside the app, and not to the first one", async () => {
  opened = await render(<Page shown={FIRST} />);
  expect(document.activeElement).toBe(document.body);
  await opened.rerender(<Page shown={{ ...FIRST }} />);
  expect(document.activeElement).toBe(document.body);
  await opened.rerender(<Page shown={{ view, path: "/docs" }} />);
  expect(document.activeElement).toBe(opened.get("main"));
});

it("leaves the focus to a field that the opened page gives it to", async () => {
  opened = await render(<Page shown={FIRST} />);
  await opened.rerender(<Page shown={{ view, path: "/docs?q=fees" }} />);
  expect(document.activeElement).toBe(opened.get("input"));
});

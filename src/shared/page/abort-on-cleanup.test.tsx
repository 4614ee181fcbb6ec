import { useEffect, useState } from "react";
import { expect, it } from "vitest";
import { render, settled } from "../testing/render.tsx";
import { abortOnCleanup } from "./abort-on-cleanup.ts";

type Answer = { resolve: (text: string) => void; promise: Promise<string> };

it("an answer that comes after the dependencies changed, or after the component is gone, sets nothing", async () => {
  const answers: Record<string, Answer> = { old: Promise.withResolvers(), new: Promise.withResolvers() };
  const signals: AbortSignal[] = [];
  function Named({ id }: { readonly id: string }) {
    const [name, setName] = useState("");
    useEffect(
      () =>
        abortOnCleanup(async (signal) => {
          signals.push(signal);
          const answer = await answers[id]?.promise;
          if (!signal.aborted) setName(answer ?? "");
        }),
      [id],
    );
    return <p>{name}</p>;
  }
  const { container, rerender, unmount } = await render(<Named id="old" />);
  await rerender(<Named id="new" />);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  await settled(() => answers["new"]?.resolve("new"));
  await settled(() => answers["old"]?.resolve("old"));
  expect(container.textContent).toBe("new");
  await unmount();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

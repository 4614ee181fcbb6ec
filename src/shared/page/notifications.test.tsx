import { afterEach, describe, expect, it } from "vitest";
import {
  clearFieldNotification,
  dismiss,
  notifications,
  notify,
  SHORT_TIMEOUT_MS,
  useFieldNotification,
} from "./notifications.ts";
import { render, settled } from "../testing/render.tsx";

afterEach(() => {
  notifications.queue = [];
  notifications.byField = {};
});

const say = (text: string) => notify({ type: text.startsWith("+") ? "success" : "error", message: text });
const left = () => notifications.queue.map(({ message }) => message);

describe("a message (spec §4)", () => {
  it.each([
    ["alone", ["a"], ["a"]],
    ["twice in a row", ["a", "a"], ["a"]],
    ["three times in a row", ["a", "a", "a"], ["a"]],
    ["after another", ["a", "b", "a"], ["a", "b", "a"]],
    ["after another and again", ["a", "b", "b", "a", "a"], ["a", "b", "a"]],
    ["that differs by a letter", ["a", "A"], ["a", "A"]],
    ["in the same words of another kind", ["a", "+a"], ["a", "+a"]],
    ["of what went well, before the next one", ["+a", "+b"], ["+b"]],
    ["of what went well, before what didn't", ["a", "+b", "c"], ["a", "c"]],
  ])("%s: %j leaves %j", (_, said, expected) => {
    for (const text of said) say(text);
    expect(left()).toEqual(expected);
  });

  it("comes again once the last one has gone", () => {
    say("a");
    for (const { id } of notifications.queue) dismiss(id);
    say("a");
    expect(left()).toEqual(["a"]);
  });

  it.each([
    ["30 s by default", {}, 30_000],
    ["3 s for errors of keys and email", { timeoutMs: SHORT_TIMEOUT_MS }, 3_000],
  ])("stays %s (spec §9)", (_, given, timeoutMs) => {
    notify({ type: "error", message: "a", ...given });
    expect(notifications.queue[0]?.timeoutMs).toBe(timeoutMs);
  });
});

describe("a message about a field", () => {
  const Field = ({ id }: { readonly id: string }) => <p id={id}>{useFieldNotification(id)}</p>;

  it("is shown there too, also when it is said again, until the field is changed", async () => {
    const view = await render(
      <>
        <Field id="email" />
        <Field id="other" />
      </>,
    );
    const tell = () => settled(() => notify({ type: "error", message: "set already", field: "email" }));
    const shown = () => ["#email", "#other"].map((id) => view.get(id).textContent);
    await tell();
    expect(shown()).toEqual(["set already", ""]);
    await settled(() => clearFieldNotification("email"));
    expect(shown()).toEqual(["", ""]);
    await tell();
    expect(shown()).toEqual(["set already", ""]);
    expect(left()).toEqual(["set already"]);
    await view.unmount();
  });
});

import { expect, onTestFinished, test, vi } from "vitest";
import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { render, settled } from "../../../shared/testing/render.tsx";
import { PasswordHelp } from "./password-help.tsx";

const { strength } = allMessages("en").account;
const words = Object.values(strength);

test.each([
  ["iloveyou2026!", strength.weak],
  ["kTw9-mZr4-qXp2", strength.strong],
])("of %s its strength is written, drawn and read out", async (password, text) => {
  const view = await render(<PasswordHelp id="help" password={password} email="a@mail.example" />);
  onTestFinished(() => view.unmount());
  await vi.waitFor(
    async () => {
      await settled();
      expect(view.container.textContent.split(text)).toHaveLength(3);
    },
    { timeout: 10_000 },
  );
});

test.each(["short", "somebody@mail.example"])("of %s, which can't be taken, it is not", async (password) => {
  const view = await render(<PasswordHelp id="help" password={password} email="somebody@mail.example" />);
  onTestFinished(() => view.unmount());
  await settled();
  expect(words.filter((text) => view.container.textContent.includes(text))).toEqual([]);
});

import type { Page } from "@playwright/test";
import type { Person } from "./person.ts";
import { calculatorOf, destinationOf } from "./screens.ts";
import type { Texts } from "./texts.ts";

type Walk = {
  readonly page: Page;
  readonly open: (path: string) => Promise<void>;
  readonly person: Person;
  readonly texts: Texts;
};
type Asked = { readonly amountToGet: string; readonly destination: string; readonly refund: string };

/** Creates an order of ETH to USDT at a fixed rate by the amount to get, as a person does: from the calculator to the press that creates it. */
export async function createFixedOrder(
  { page, open, person, texts }: Walk,
  { amountToGet, destination, refund }: Asked,
): Promise<void> {
  await open("/exchange-eth-usdt-erc20");
  const calculator = calculatorOf(page, texts);
  await person.choose(calculator.fixed);
  await person.type(calculator.getExactly, amountToGet);
  await person.press(calculator.proceed);
  const step = destinationOf(page, texts, { send: "ETH", get: "USDT" });
  await person.type(step.address, destination);
  await person.type(step.refund, refund);
  await person.tick(step.terms);
  await person.press(step.create);
}

import { QUESTIONS } from "../../src/features/home/model/questions.ts";
import { flow } from "./support/flow.ts";
import { expect } from "./support/test.ts";

flow("the home page's questions are opened and closed", async ({ page, open, person, texts }) => {
  const [first, second] = QUESTIONS;
  await open("/");
  const answerTo = (name: (typeof QUESTIONS)[number]) =>
    page.getByText(texts.home(`questions.${name}Answer`, { count: 20 }));
  const question = page.locator("summary", { hasText: texts.home(`questions.${second}`) });
  await expect(answerTo(first)).toBeVisible();
  await expect(answerTo(second)).toBeHidden();
  await person.press(question);
  await expect(answerTo(second)).toBeVisible();
  await person.press(question);
  await expect(answerTo(second)).toBeHidden();
});

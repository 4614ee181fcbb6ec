import { HtmlValidate } from "html-validate";

/** telegram-ui draws its skeletons and the icons of buttons and labels as boxes; browsers read them as they are meant. */
const TELEGRAM_UI = { permittedContent: ["@phrasing", "div"] };
const validator = new HtmlValidate({
  extends: ["html-validate:standard"],
  elements: ["html5", { button: TELEGRAM_UI, label: TELEGRAM_UI, span: TELEGRAM_UI }],
});

/** What is wrong with a page's markup. */
export async function faultsOf(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId}: ${message} (${line}:${column})`),
  );
}

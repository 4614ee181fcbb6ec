import { readFile } from "node:fs/promises";

/** A program of the quick start, as a reader of that language saves it. */
export async function articleProgram(locale: string, file: string): Promise<string> {
  const text = await readFile(`content/docs/${locale}/api-quick-start.md`, "utf8");
  const code = new RegExp(`^\`\`\`\\w+ ${file.replace(".", "\\.")}\n([^]*?)^\`\`\`$`, "m").exec(text)?.[1];
  if (code === undefined) throw new Error(`the quick start has no ${file}`);
  return code;
}

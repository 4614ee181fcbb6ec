type Name = string | RegExp;

/** A line of an accessibility snapshot: a role, its name, and its state as `[checked]`. Its children are indented below. */
export function node(role: string, name: Name, state = ""): string {
  const said = typeof name === "string" ? JSON.stringify(name) : String(name);
  return `- ${JSON.stringify(`${role} ${said}${state === "" ? "" : ` [${state}]`}`)}`;
}

/** A node that is identified by its content, as a paragraph or a term. */
export const holds = (role: string, text: Name): string =>
  `- ${role}: ${typeof text === "string" ? JSON.stringify(text) : String(text)}`;

export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** A text that begins like this. */
export const beginning = (text: string): RegExp => new RegExp(`^${escaped(text)}`);

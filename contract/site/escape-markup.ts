const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text as it is written inside an element or a quoted attribute of HTML or XML; not for scripts, styles and comments. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? found);

/** What an email field keeps of what is typed: no blanks around it, no plus sign (spec §5). */
export function cleanEmail(typed: string): { email: string; hadPlus: boolean } {
  const email = typed.trim();
  return { email: email.replaceAll("+", ""), hadPlus: email.includes("+") };
}

/** What an email field keeps of what is typed: no blanks around it, no plus sign (spec §5). */
export function cleanEmail(typed: string): { email: string; hadPlus: boolean } {
  const email = typed.trim();
  return { email: email.replaceAll("+", ""), hadPlus: email.includes("+") };
}

/** Whether it is an email by the contract's pattern, which loads when it is needed, not with the page. */
export async function isEmail(email: string): Promise<boolean> {
  const { emailSchema } = await import("#contract/order.ts");
  return emailSchema.safeParse(email).success;
}

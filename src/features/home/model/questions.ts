/** What is asked and answered under `questions` of the home page's words. */
export const QUESTIONS = ["rates", "account", "follow", "mistake", "amount"] as const;

export type SignInDialog = "login" | "register";
type Answer = (dialog: SignInDialog) => Promise<boolean>;

const { promise: answering, resolve: answerBy } = Promise.withResolvers<Answer>();

/** Says who opens the dialogs: the app, once it knows who is signed in. */
export const answerSignInRequests = (answer: Answer): void => answerBy(answer);

/** Opens the dialog over the page, which keeps what was typed into it. True once somebody is signed in, false where the dialog was left. */
export const requestSignIn = async (dialog: SignInDialog): Promise<boolean> => (await answering)(dialog);

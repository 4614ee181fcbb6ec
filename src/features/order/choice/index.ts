export { ChoiceAction } from "./choice-action.tsx";
export { ChoiceProvider } from "./choice-context.tsx";
export { ChoiceScreen } from "./choice-screen.tsx";

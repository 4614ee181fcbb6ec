/** Where the browser keeps the UTM record. */
export const UTM_KEY = "wherry-utm";

/** Inside `/embed`, on another site's page: nobody is signed in there, and no cookie is read or sent (contract §14). */
export const isWidget = (): boolean => globalThis.document?.documentElement.dataset["shell"] === "widget";

/** The category of the docs that has the reference of the partner API too, which is no article. */
export const API_CATEGORY = "api";
/** Its address below `/docs`. */
export const API_REFERENCE = "api";

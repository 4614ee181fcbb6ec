import { config, locales } from "zod/mini";

// zod/mini says only "Invalid input" until it is given a language.
config(locales.en());

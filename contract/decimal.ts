import * as z from "zod/mini";
import { DECIMAL, MAX_DIGITS } from "./money.ts";

/** An amount as it travels: a decimal string, apart from the arithmetic, which pages need without any schema. */
export const decimalSchema = z.string().check(z.maxLength(MAX_DIGITS), z.regex(DECIMAL));

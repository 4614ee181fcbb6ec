import * as z from "zod/mini";
import { DECIMAL, MAX_DIGITS } from "./money.ts";

// Schemas of the fields that several calls have in common.

/** An amount on the wire: a decimal string in plain notation (contract §1). */
export const decimalSchema = z
  .string()
  .check(z.maxLength(MAX_DIGITS), z.regex(DECIMAL, "must be a decimal number such as 0.0125"));

export const slugSchema = z
  .string()
  .check(z.maxLength(64), z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must be a slug such as usdt-erc20"));

export const isoTimeSchema = z.iso.datetime();

export const addressSchema = z.string().check(z.maxLength(512));

/** The id alone protects an order: at least 128 bits from a secure generator (contract §3). */
export const orderIdSchema = z
  .string()
  .check(z.maxLength(64), z.regex(/^[A-Za-z0-9]{22,}$/, "must be an order's id of 22 or more letters and digits"));

/** The languages of messages to customers; an order in any other language gets the first. */
export const ORDER_LOCALES = ["en", "ru"] as const;
export type OrderLocale = (typeof ORDER_LOCALES)[number];

/** The language of what we send for a locale that somebody named: English for one that we don't have, or none. */
export const orderLocaleOf = (given: string | null | undefined): OrderLocale =>
  ORDER_LOCALES.find((known) => known === given) ?? ORDER_LOCALES[0];

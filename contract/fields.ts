import { DAY_MS } from "./durations.ts";
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

/** A time as callers write it: with any offset. */
export const anyTimeSchema = z.iso.datetime({
  offset: true,
  error: "must be a time with its offset, such as 2026-11-21T12:00:00Z",
});

/** The beginning or end of a span; a day is one of UTC. */
export const momentSchema = z
  .union(
    [anyTimeSchema, z.iso.date()],
    "must be a time with its offset, such as 2026-11-21T12:00:00Z, or a day; in an address a + is written %2B",
  )
  .check(z.refine((text) => !text.startsWith("0000"), "must be after the year 0"));

const DAY = /^\d{4}-\d\d-\d\d$/;

/** From when a span is that begins so. */
export const spanStart = (moment: string): Date => new Date(moment);

/** Until when a span is that ends so: a day is in it. */
export const spanEnd = (moment: string): Date => new Date(new Date(moment).getTime() + (DAY.test(moment) ? DAY_MS : 0));

export const addressSchema = z.string().check(z.maxLength(512));

/** The id alone protects an order: at least 128 bits from a secure generator (contract §3). */
export const orderIdSchema = z
  .string()
  .check(z.maxLength(64), z.regex(/^[A-Za-z0-9]{22,}$/, "must be an order's id of 22 or more letters and digits"));

import * as z from "zod/mini";

/**
 * spec §5: a normal address pattern; the server stores what is typed, only the form strips a plus sign. Nothing that a
 * mail header reads as a list is in it.
 */
export const emailSchema = z
  .string()
  .check(
    z.maxLength(254),
    z.regex(
      /^[^\s\p{Cc}\p{Cf}@"<>()[\],;:\\]+@[^\s\p{Cc}\p{Cf}@"<>()[\],;:\\.]+(?:\.[^\s\p{Cc}\p{Cf}@"<>()[\],;:\\.]+)*\.[^\s\p{Cc}\p{Cf}@"<>()[\],;:\\.]{2,63}$/u,
    ),
  );

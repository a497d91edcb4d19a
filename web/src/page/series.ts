// Lists in the reader's language.
import type { Format } from "../parts/format.ts";

/** series writes parts side by side, without a word such as "and" where the language can do so. */
export const series = (parts: (string | undefined | false)[], format: Format): string =>
  new Intl.ListFormat(format.locale, { type: "unit" }).format(parts.filter((part): part is string => !!part));

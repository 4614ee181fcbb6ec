import pg from "pg";

const { getTypeParser } = pg.types;
const int8 = 20;
const numeric = 1700;
const int8Array = 1016;
const numericArray = 1231;

/**
 * How values of our pool come out of PostgreSQL: `numeric` and `int8` as bigint, `timestamptz` as Date.
 * Every `numeric` of ours is an amount in minor units, so one with a fraction is refused instead of rounded.
 */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (format === "binary") return getTypeParser(oid, "binary");
    switch (oid) {
      case numeric:
      case int8:
        return parseWhole;
      case numericArray:
      case int8Array:
        return parseWholeList;
      default:
        return getTypeParser(oid, "text");
    }
  },
};

function parseWhole(text: string): bigint {
  if (!/^-?\d+$/.test(text)) throw new RangeError(`a whole number was expected from the database, not ${text}`);
  return BigInt(text);
}

function parseWholeList(text: string): (bigint | null)[] {
  const items = text.slice(1, -1);
  return items === "" ? [] : items.split(",").map((item) => (item === "NULL" ? null : parseWhole(item)));
}

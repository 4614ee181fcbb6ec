import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { CatalogueError, readCatalogue, type CatalogueOptions } from "./catalogue.ts";
import type { Catalogue } from "./port.ts";

/** The catalogue that comes with the program. */
const catalogueFile = fileURLToPath(new URL("./catalogue.json", import.meta.url));

/** Reads the catalogue of a file. Throws `CatalogueError` with the file's path and every place in it that is wrong. */
export async function loadCatalogue(options: CatalogueOptions = {}, path: string = catalogueFile): Promise<Catalogue> {
  try {
    const text = await readFile(path, "utf8");
    return readCatalogue(JSON.parse(text), options);
  } catch (error) {
    if (error instanceof CatalogueError)
      throw new CatalogueError(error.problems.map((problem) => `${path}: ${problem}`));
    if (error instanceof SyntaxError) throw new CatalogueError([`${path}: ${error.message}`]);
    if (isFileError(error)) throw new CatalogueError([error.message]);
    throw error;
  }
}

const isFileError = (error: unknown): error is Error => error instanceof Error && "syscall" in error;

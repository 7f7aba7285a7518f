/** Compares the words of tool names with operations. */
import type { Operation } from '../../model/source-model.ts';

interface Named {
  operation: Operation;
  name: string;
}

/** Whether all words of `name` describe another operation, and not all describe its own. */
export function fitsAnother(name: string, own: Operation, all: readonly Named[]): boolean {
  const words = splitStems(name);
  const fits = (each: Named): boolean => {
    const known = new Set(splitStems(`${each.name} ${each.operation.method} ${each.operation.path}`));
    return words.every((word) => known.has(word));
  };
  const itself = all.find(({ operation }) => operation === own);
  if (words.length === 0 || itself === undefined || fits(itself)) return false;
  return all.some((each) => each.operation !== own && fits(each));
}

/** `getPets`, `GET /pets` → `get`, `pet` */
function splitStems(text: string): string[] {
  const parts =
    text
      .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\d]+/gu) ?? [];
  return parts.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
}

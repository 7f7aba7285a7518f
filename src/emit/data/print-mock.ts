/** Prints `src/generated/mock.json`; its layout is described in `print-lines.ts`. */
import type { MockTexts } from '../../model/server-model.ts';
import { printList, printMembers } from './print-lines.ts';

export function printMock({ answers, examples, schemas }: MockTexts): string {
  return printMembers([
    printTexts('answers', answers),
    printList('examples', examples),
    printTexts('schemas', schemas),
  ]);
}

/** As `printMap`, of values that are printed already. */
function printTexts(name: string, texts: Record<string, string>): string {
  const items = Object.entries(texts).map(([key, text]) => `${JSON.stringify(key)}:${text}`);
  return `"${name}": ${items.length === 0 ? '{}' : `{\n${items.join(',\n')}\n}`}`;
}

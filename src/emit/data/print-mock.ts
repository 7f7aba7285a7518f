/** Prints `src/generated/mock.json`; its layout is described in `print-lines.ts`. */
import type { MockTexts, ServerModel } from '../../model/server-model.ts';
import { printList, printMembers } from './print-lines.ts';

const NOTHING: MockTexts = { answers: {}, examples: [], schemas: {} };

export function hasMock({ mock, mocks }: Pick<ServerModel, 'mock' | 'mocks'>): boolean {
  return mock !== undefined || mocks !== undefined;
}

export function printMock({ mock = NOTHING, mocks }: Pick<ServerModel, 'mock' | 'mocks'>): string {
  const members = membersOf(mock);
  if (mocks === undefined) return printMembers(members);
  const apis = Object.entries(mocks).map(([api, each]): [string, string] => [
    api,
    printMembers(membersOf(each)).trimEnd(),
  ]);
  return printMembers([...members, printTexts('apis', Object.fromEntries(apis))]);
}

function membersOf({ answers, examples, schemas }: MockTexts): string[] {
  return [printTexts('answers', answers), printList('examples', examples), printTexts('schemas', schemas)];
}

/** As `printMap`, of values that are printed already. */
function printTexts(name: string, texts: Record<string, string>): string {
  const items = Object.entries(texts).map(([key, text]) => `${JSON.stringify(key)}:${text}`);
  return `"${name}":${items.length === 0 ? '{}' : `{\n${items.join(',\n')}\n}`}`;
}

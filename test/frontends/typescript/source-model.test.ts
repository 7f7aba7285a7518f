// The front end's result is pure data: it can be written as JSON and read again.
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import { readTypeScript } from '../../../src/frontends/typescript/index.ts';
import { folderOf } from './compile-files.ts';

const text = `export interface Stay { from: Date; guests: Map<string, 1 | 2>; next?: Stay }
/** @tool */
export function book(constructor: Stay, __proto__: string, toString?: string): Set<Stay> {
  return new Set([constructor]);
}
/** @prompt */
export function ask(valueOf: string): string { return valueOf; }
/** @resource stays://{id} */
export function stay(id: string): Stay { throw new Error(id); }
`;

test('the model of annotated functions is what its JSON says', async () => {
  const folder = await folderOf({ 'stays.ts': text });
  try {
    const diagnostics = new DiagnosticCollector();
    const [model] = readTypeScript({ groups: [['stays.ts']], cwd: folder }, diagnostics).models ?? [];
    expect(diagnostics.found).toEqual([]);
    expect(JSON.parse(JSON.stringify(model))).toEqual(model);
    const origins = (model?.capabilities ?? []).flatMap((each) =>
      'argumentOrigins' in each ? [Object.entries(each.argumentOrigins ?? {})] : [],
    );
    expect(
      origins.map((each) => each.map(([name, at]) => [name, 'line' in at && `${at.line}:${at.column}`])),
    ).toEqual([
      [
        ['constructor', '3:22'],
        ['__proto__', '3:41'],
        ['toString', '3:60'],
      ],
      [['valueOf', '7:21']],
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Carets underline the words that a person has to change, in YAML and in JSON. */
import { expect, test } from 'vitest';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import { locateOrigin } from '../../../src/diagnostics/locate/locate.ts';
import { deriveServer } from '../../../src/derive/index.ts';
import { openapi, read, withOperation } from './reading.ts';

const paths = (a: object, b: object): object => openapi({ paths: { '/a': { get: a }, '/b': { get: b } } });

test.each<[name: string, document: object, underlined: string]>([
  ['invalid-x-mcp', withOperation({ 'x-mcp': { titel: 'Pets' } }), '"titel"'],
  ['duplicate-operation-id', paths({ operationId: 'x' }, { operationId: 'x' }), '"x"'],
  ['tool-renamed', paths({ operationId: 'x' }, { operationId: 'x' }), '"x"'],
  ['tool-renamed', paths({}, { operationId: 'get_a' }), '"get_a"'],
  ['tool-renamed', withOperation({ operationId: 'a/b' }), '"a/b"'],
])('%s', async (name, document, underlined) => {
  expect(await shown(name, JSON.stringify(document, null, 2))).toContain(underlined);
});

/** The underlined parts of a document, for one kind of diagnostic. */
async function shown(name: string, text: string): Promise<string[]> {
  const { model, found, texts } = await read(text);
  const later = new DiagnosticCollector();
  if (model !== undefined) deriveServer(model, {}, later);
  const places = [...found, ...later.found].filter((each) => each.name === name);
  return places.map(({ origin }) => {
    const place = origin && locateOrigin(texts, origin);
    const line = text.split('\n')[(place?.line ?? 0) - 1] ?? '';
    return place === undefined ? '' : line.slice(place.column - 1, place.column - 1 + place.length);
  });
}

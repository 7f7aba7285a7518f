import type { Fault } from '../options/fault.ts';
import type { DocumentIndex } from '../../diagnostics/locate/document-index.ts';
import { type LineColumn, lineColumnOf } from '../../diagnostics/locate/line-column.ts';

/** Finds the positions of members in the text of a configuration; for a missing member that of its deepest existing parent. */
export async function configPlaces(
  name: string,
  text: string,
): Promise<(fault: Pick<Fault, 'path' | 'key'>) => LineColumn> {
  const index = await makeIndex(name, text);
  return ({ path, key }) => {
    const tokens = [...path, ...[key ?? []].flat()].map(String);
    return lineColumnOf(text, index.find(tokens, key === undefined ? 'value' : 'key').start);
  };
}

async function makeIndex(name: string, text: string): Promise<DocumentIndex> {
  if (name.endsWith('.json')) {
    const { JsonIndex } = await import('../../diagnostics/locate/json-index.ts');
    return new JsonIndex(text);
  }
  if (/\.ya?ml$/.test(name)) {
    const { YamlIndex } = await import('../../diagnostics/locate/yaml-index.ts');
    return new YamlIndex(text);
  }
  const { codeIndex } = await import('../../diagnostics/locate/code-index.ts');
  return codeIndex(text, name);
}

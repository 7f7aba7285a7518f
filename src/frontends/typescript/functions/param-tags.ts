/** `@param` of a parameter that is not there. */
import { ts } from 'ts-morph';
import { nearMiss } from '../../../../templates/runtime/schema/near-miss.ts';
import { carried, isParam, readDocs } from '../docs/read-docs.ts';
import type { SourceProgram } from '../program/source-program.ts';
import type { Tagged } from './tagged.ts';

export function checkParamTags({ signature }: Tagged, source: SourceProgram): void {
  const { declaration } = signature;
  if (declaration === undefined || !source.userFiles.includes(declaration.getSourceFile())) return;
  const names = declaration.parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : undefined));
  // The name that stands for a pattern is anybody's choice.
  if (names.includes(undefined)) return;
  const known = names.filter((name) => name !== undefined);
  for (const tag of readDocs(declaration).tags.filter(isParam)) {
    const name = carried(tag)?.name ?? '';
    if (known.includes(name.split('.', 1)[0] ?? '')) continue;
    const meant = nearMiss(name, known) ?? '';
    source.diagnostics.report('param-without-parameter', { name, meant }, { at: source.originOfTag(tag) });
  }
}

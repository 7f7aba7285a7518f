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
  const known = names.filter((name) => name !== undefined);
  const isJavaScript = (declaration.flags & ts.NodeFlags.JavaScriptFile) !== 0;
  for (const tag of readDocs(declaration).tags.filter(isParam)) {
    const name = carried(tag)?.name ?? '';
    const [head = '', ...members] = name.split('.');
    // The name that stands for a pattern is anybody's choice, and a member of it is described in JavaScript alone.
    const isKnown = known.includes(head) || names.includes(undefined);
    if (isKnown && (members.length === 0 || isJavaScript)) continue;
    const meant = nearMiss(name, known) ?? '';
    source.diagnostics.report('param-without-parameter', { name, meant }, { at: source.originOfTag(tag) });
  }
}

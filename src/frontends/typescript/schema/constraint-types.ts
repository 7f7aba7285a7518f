import { ts } from 'ts-morph';

import type { DocTag, Docs } from '../docs/doc-text.ts';
import type { Place, Reading } from './form.ts';
import { isInRuntime } from './library-types.ts';

/** `number & Minimum<0>`: types of `mcpgen/runtime` that say what tags say. */
export function makeConstraintDocs(type: ts.IntersectionType, { at }: Place, reading: Reading): Docs {
  const tags = type.types.flatMap((part) => listConstraintTags(part, reading));
  const [file, offset] = [at.getSourceFile(), at.getStart()];
  return { tags: tags.map((tag): DocTag => ({ ...tag, lines: [], file, offset })) };
}

function listConstraintTags(part: ts.Type, reading: Reading): Pick<DocTag, 'name' | 'text'>[] {
  const { checker } = reading;
  const [holder] = part.flags & ts.TypeFlags.Object ? part.getProperties() : [];
  const declaration = holder?.declarations?.[0];
  if (holder === undefined || declaration === undefined || !isInRuntime(declaration, reading)) return [];
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(holder));
  return type.getProperties().map((keyword) => {
    const text = printLiteral(checker.getTypeOfSymbol(keyword), checker);
    // A tag takes the slashes around a pattern for its marks.
    return { name: keyword.name, text: keyword.name === 'pattern' ? `\`${text}\`` : text };
  });
}

function printLiteral(value: ts.Type, checker: ts.TypeChecker): string {
  if (value.isStringLiteral()) return value.value;
  const text = checker.typeToString(value);
  return (value.flags & ts.TypeFlags.BigIntLiteral) !== 0 ? text.replace(/n$/, '') : text;
}

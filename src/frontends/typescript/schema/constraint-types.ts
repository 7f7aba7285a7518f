import { ts } from 'ts-morph';

import { unionMembers } from '../program/checker-queries.ts';
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

/** Reports constraint types in a text, whose pattern cannot say them: `${Port}.example.com`. */
export function reportConstraintTypesInText(type: ts.Type, place: Place, reading: Reading): void {
  if (type.flags & ts.TypeFlags.TemplateLiteral)
    reportConstraintTypes((type as ts.TemplateLiteralType).types, place, reading);
  else if (type.flags & ts.TypeFlags.StringMapping)
    reportConstraintTypes([(type as ts.StringMappingType).type], place, reading);
}

/** Keys and texts have no schema of their own. */
export function reportConstraintTypes(types: readonly ts.Type[], place: Place, reading: Reading): void {
  if (place.isLibrary) return;
  for (const type of types.flatMap(unionMembers)) {
    if (type.isIntersection() && makeConstraintDocs(type, place, reading).tags.length > 0)
      reading.tell('constraint-lost', { name: reading.checker.typeToString(type) }, place.node ?? place.at);
    reportConstraintTypesInText(type, place, reading);
  }
}

/** Compares `anyOf` and `oneOf`, which have the same meaning for a client unless a schema has both, and `allOf`. */
import type { JsonSchema, JsonSchemaObject } from '../util/json-schema.ts';
import { ANNOTATIONS } from '../model/schema-walk.ts';
import type { ChangeKind } from './change-kinds.ts';
import type { SchemaPair, SchemaChange, Schemas } from './schema-assertions.ts';

interface Sides {
  before: JsonSchemaObject;
  after: JsonSchemaObject;
}

/** If only one side is a union, the other one becomes a union too: its assertions are the alternatives, one per type. */
export function wrapMissingUnion({ before, after }: Sides): Sides {
  if (isUnion(before) && !isUnion(after)) return { before, after: wrapAsUnion(after, before) };
  if (isUnion(after) && !isUnion(before)) return { before: wrapAsUnion(before, after), after };
  return { before, after };
}

function isUnion({ anyOf, oneOf }: JsonSchemaObject): boolean {
  return anyOf !== undefined || oneOf !== undefined;
}

function wrapAsUnion(schema: JsonSchemaObject, union: JsonSchemaObject): JsonSchemaObject {
  const names = Object.keys(union).filter((name) => union[name] !== undefined && !isAnnotation(name));
  // Assertions beside the alternatives are compared with those of the schema.
  if (names.length > 1) return { ...schema, anyOf: [true] };
  const entries = Object.entries(schema);
  const stays = (name: string): boolean => isAnnotation(name) || name === 'allOf';
  return {
    ...Object.fromEntries(entries.filter(([name]) => stays(name))),
    anyOf: splitByType(Object.fromEntries(entries.filter(([name]) => !stays(name)))),
  };
}

function isAnnotation(name: string): boolean {
  return ANNOTATIONS.has(name) || ['$defs', '$id', '$schema'].includes(name) || name.startsWith('x-');
}

export function compareAlternatives(
  before: JsonSchemaObject,
  after: JsonSchemaObject,
  at: string,
  schemas: Schemas,
): { pairs: SchemaPair[]; changes: SchemaChange[] } {
  const hasBoth = [before, after].some(({ anyOf, oneOf }) => anyOf !== undefined && oneOf !== undefined);
  const keywords = hasBoth ? UNIONS.map((keyword) => [keyword]) : [UNIONS];
  const unions = keywords.map((names) =>
    pairAlternatives(listAlternatives(before, names), listAlternatives(after, names), schemas),
  );
  const parts = pairAlternatives(before.allOf ?? [], after.allOf ?? [], schemas);
  const makeChanges = (list: JsonSchema[], kind: ChangeKind, text: string): SchemaChange[] =>
    list.map((schema) => ({ kind, at, text: `${text}${describeAlternative(schema)}` }));
  return {
    pairs: [...unions, parts].flatMap(({ pairs }) =>
      pairs.map(([one, other]) => ({ before: one, after: other, at })),
    ),
    changes: [
      ...unions.flatMap(({ removed, added }) => [
        ...makeChanges(removed, 'alternative-removed', 'alternative removed'),
        ...makeChanges(added, 'alternative-added', 'alternative added'),
      ]),
      ...makeChanges(parts.removed, 'constraint-loosened', 'part of allOf removed'),
      ...makeChanges(parts.added, 'constraint-tightened', 'part of allOf added'),
    ],
  };
}

const UNIONS = ['anyOf', 'oneOf'] as const;

/** Without the keywords, everything is accepted. */
function listAlternatives(schema: JsonSchemaObject, keywords: readonly ('anyOf' | 'oneOf')[]): JsonSchema[] {
  const lists = keywords.flatMap((keyword) => schema[keyword] ?? []);
  return (keywords.length === 1 && lists.length === 0 ? [true] : lists).flatMap((branch) =>
    typeof branch === 'object' ? splitByType(branch) : branch,
  );
}

function splitByType({ type, ...rest }: JsonSchemaObject): JsonSchema[] {
  if (!Array.isArray(type)) return [type === undefined ? rest : { ...rest, type }];
  return type.map((name) => (name === 'null' ? { type: name } : { ...rest, type: name }));
}

function describeAlternative(schema: JsonSchema): string {
  if (typeof schema === 'boolean') return schema ? ' (anything)' : '';
  const name = labelAlternative(schema) ?? schema.type;
  return name === undefined ? '' : ` (${[name].flat().join(' or ')})`;
}

interface Alternatives {
  pairs: [before: JsonSchema, after: JsonSchema][];
  removed: JsonSchema[];
  added: JsonSchema[];
}

/** Pairs alternatives by meaning, then by name or title, then by a type that only one has. */
function pairAlternatives(
  before: readonly JsonSchema[],
  after: readonly JsonSchema[],
  schemas: Schemas,
): Alternatives {
  const [removed, added] = [[...before], [...after]];
  const pairs: Alternatives['pairs'] = [];
  const labels: ((schema: JsonSchema, side: 'before' | 'after') => string | undefined)[] = [
    (schema, side) => schemas[side].printWithDefinitions(schema),
    (schema, side) => labelAlternative(schema) ?? schemas[side].resolve(schema).title,
    (schema, side) => {
      const findType = (alternative: JsonSchema): string => String(schemas[side].resolve(alternative).type);
      const rivals = side === 'before' ? removed : added;
      return rivals.filter((rival) => findType(rival) === findType(schema)).length === 1
        ? findType(schema)
        : undefined;
    },
  ];
  for (const label of labels) {
    for (const old of [...removed]) {
      const name = label(old, 'before');
      const now = added.find((schema) => name !== undefined && label(schema, 'after') === name);
      if (now === undefined) continue;
      pairs.push([old, now]);
      removed.splice(removed.indexOf(old), 1);
      added.splice(added.indexOf(now), 1);
    }
  }
  const [old, now] = [removed[0], added[0]];
  if (old !== undefined && now !== undefined && removed.length + added.length === 2)
    return { pairs: [...pairs, [old, now]], removed: [], added: [] };
  return { pairs, removed, added };
}

/** Labels an alternative: by its definition's name, its title or its constant member. */
function labelAlternative(schema: JsonSchema): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (schema.$ref !== undefined) return schema.$ref.replace(/^#\/\$defs\//, '');
  if (schema.title !== undefined) return schema.title;
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    if (typeof property === 'object' && property.const !== undefined)
      return `${name}: ${JSON.stringify(property.const)}`;
  return undefined;
}

import type { JsonSchema } from '../../templates/runtime/contract/json-schema.ts';
import type { ResolvedSchemas } from './resolved-schemas.ts';

interface Alternatives {
  pairs: [before: JsonSchema, after: JsonSchema][];
  removed: JsonSchema[];
  added: JsonSchema[];
}

/** Pairs alternatives by name, then by meaning, then by a type that only one has; a single one left on each side is a pair, too. */
export function pairAlternatives(
  before: readonly JsonSchema[],
  after: readonly JsonSchema[],
  schemas: { before: ResolvedSchemas; after: ResolvedSchemas },
): Alternatives {
  const rest = { before: [...before], after: [...after] };
  const pairs: Alternatives['pairs'] = [];
  const take = (labelOld: Label, labelNew: Label): void => {
    for (const old of [...rest.before]) {
      const label = labelOld(old, rest.before);
      const found =
        label === undefined ? [] : rest.after.filter((now) => labelNew(now, rest.after) === label);
      const [now] = found;
      if (now === undefined) continue;
      pairs.push([old, now]);
      rest.before.splice(rest.before.indexOf(old), 1);
      rest.after.splice(rest.after.indexOf(now), 1);
    }
  };
  take(nameOfAlternative, nameOfAlternative);
  take(
    (schema) => schemas.before.toText(schema),
    (schema) => schemas.after.toText(schema),
  );
  take(onlyOfItsType(schemas.before), onlyOfItsType(schemas.after));
  const [old, now] = [rest.before, rest.after];
  if (old.length === 1 && now.length === 1 && old[0] !== undefined && now[0] !== undefined)
    return { pairs: [...pairs, [old[0], now[0]]], removed: [], added: [] };
  return { pairs, removed: old, added: now };
}

type Label = (schema: JsonSchema, all: readonly JsonSchema[]) => string | undefined;

/** The name of its definition, its title, or its constant member. */
export function nameOfAlternative(schema: JsonSchema): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  const tag = Object.entries(schema.properties ?? {}).find(
    ([, property]) => typeof property === 'object' && property.const !== undefined,
  );
  if (schema.$ref !== undefined) return schema.$ref.replace(/^#\/\$defs\//, '');
  if (schema.title !== undefined) return schema.title;
  if (tag === undefined || typeof tag[1] === 'boolean') return undefined;
  return `${tag[0]}: ${JSON.stringify(tag[1].const)}`;
}

function onlyOfItsType(schemas: ResolvedSchemas): Label {
  const findType = (schema: JsonSchema): string | undefined => {
    const { type } = schemas.resolve(schema);
    return type === undefined ? undefined : [type].flat().join();
  };
  return (schema, all) => {
    const type = findType(schema);
    return all.filter((each) => findType(each) === type).length === 1 ? type : undefined;
  };
}

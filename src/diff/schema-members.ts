import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import type { Pair, SchemaChange } from './schema-types.ts';

interface Members {
  /** Members that both have. */
  pairs: Pair[];
  changes: SchemaChange[];
}

export function compareMembers(before: JsonSchemaObject, after: JsonSchemaObject, at: string): Members {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
  // A required member may have no schema.
  const required = [...(before.required ?? []), ...(after.required ?? [])];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now), ...required])];
  const each = names.map((name) => {
    const place = at === '' ? name : `${at}.${name}`;
    return compareMember({ before: findMember(before, name), after: findMember(after, name) }, place);
  });
  const open = compareOpenness(before, after, at);
  return {
    pairs: [...each.flatMap(({ pairs }) => pairs), ...open.pairs],
    changes: [...each.flatMap(({ changes }) => changes), ...open.changes],
  };
}

interface Member {
  schema: JsonSchema | undefined;
  required: boolean;
}

function findMember({ properties = {}, required = [] }: JsonSchemaObject, name: string): Member {
  return {
    schema: Object.hasOwn(properties, name) ? properties[name] : undefined,
    required: required.includes(name),
  };
}

function compareMember({ before, after }: { before: Member; after: Member }, at: string): Members {
  if (before.schema !== undefined && after.schema === undefined)
    return { pairs: [], changes: [{ kind: 'member-removed', at, text: 'removed' }] };
  if (before.schema === undefined && after.schema !== undefined) {
    const needed = after.required && !before.required;
    const kind = needed ? 'required-member-added' : 'member-added';
    return { pairs: [], changes: [{ kind, at, text: needed ? 'added, and required' : 'added' }] };
  }
  const changes: SchemaChange[] = [];
  if (before.required !== after.required)
    changes.push(
      after.required
        ? { kind: 'became-required', at, text: 'required now' }
        : { kind: 'became-optional', at, text: 'no longer required' },
    );
  if (before.schema === undefined || after.schema === undefined) return { pairs: [], changes };
  return { pairs: [{ before: before.schema, after: after.schema, at }], changes };
}

/** Compares `additionalProperties`. */
function compareOpenness(before: JsonSchemaObject, after: JsonSchemaObject, at: string): Members {
  const { additionalProperties: old = true } = before;
  const { additionalProperties: now = true } = after;
  if (old === false && now === false) return { pairs: [], changes: [] };
  const place = at === '' ? '*' : `${at}.*`;
  if (now === false)
    return { pairs: [], changes: [{ kind: 'closed', at: place, text: 'other members are refused now' }] };
  if (old === false)
    return { pairs: [], changes: [{ kind: 'opened', at: place, text: 'other members are allowed now' }] };
  return { pairs: [{ before: old, after: now, at: place }], changes: [] };
}

import type { ListedPromptArgument } from '../../templates/runtime/contract/catalog.ts';
import type { JsonSchemaObject, ObjectSchema } from '../../templates/runtime/contract/json-schema.ts';
import { WORDS } from './compare-listed.ts';
import { compareSchemas } from './compare-schemas.ts';
import { compareListed, type ItemChange } from './compare-tools.ts';
import type { SurfacePrompt } from './surface.ts';

export function comparePrompts(before: SurfacePrompt, after: SurfacePrompt): ItemChange[] {
  const [old, now] = [before.arguments ?? [], after.arguments ?? []];
  const names = [...new Set([...old, ...now].map(({ name }) => name))];
  const named = (list: ListedPromptArgument[], name: string): ListedPromptArgument | undefined =>
    list.find((each) => each.name === name);
  return [
    ...compareListed(before, after),
    ...names.flatMap((name) => {
      const pair = { before: named(old, name), after: named(now, name) };
      const changes: ItemChange[] = compareArgument(pair.before, pair.after).map((change) => ({
        ...change,
        at: name,
      }));
      const taken = pair.before && pair.after ? compareTaken(before.input, after.input, name) : [];
      return [...changes, ...taken].map((change): ItemChange => ({ ...change, side: 'input' }));
    }),
  ];
}

/** Compares the values that an argument accepts. */
function compareTaken(
  before: ObjectSchema | undefined,
  after: ObjectSchema | undefined,
  argument: string,
): ItemChange[] {
  return compareSchemas(findSchema(before, argument), findSchema(after, argument))
    .filter(({ at, kind }) => at !== '' || !WORDS.includes(kind))
    .map(({ at, ...change }) => ({ ...change, at: `${argument}${/^(\[|$)/.test(at) ? at : `.${at}`}` }));
}

/** The schema of an argument with the definitions that it refers to; without one, any text is accepted. */
function findSchema(input: ObjectSchema | undefined, argument: string): JsonSchemaObject {
  const schema = input === undefined ? { type: 'string' as const } : (input.properties?.[argument] ?? true);
  const { $defs } = input ?? {};
  return { ...(typeof schema === 'object' ? schema : {}), ...($defs && { $defs }) };
}

function compareArgument(
  before: ListedPromptArgument | undefined,
  after: ListedPromptArgument | undefined,
): ItemChange[] {
  if (after === undefined) return [{ kind: 'member-removed', text: 'removed' }];
  const required = after.required === true;
  if (before === undefined) {
    return required
      ? [{ kind: 'required-member-added', text: 'added, and required' }]
      : [{ kind: 'member-added', text: 'added' }];
  }
  const words = compareListed(before, after);
  if ((before.required === true) === required) return words;
  return [
    required
      ? { kind: 'became-required', text: 'required now' }
      : { kind: 'became-optional', text: 'no longer required' },
    ...words,
  ];
}

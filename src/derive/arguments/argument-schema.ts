/**
 * Names of a tool's arguments. One key outside `^[A-Za-z0-9_.-]{1,64}$` makes some clients refuse the whole
 * conversation. Of clashing arguments the one in the path keeps the bare name; the others get their place as a suffix.
 */
import type { KnownArgument, ParameterLocation, PartBinding } from '../../model/bindings.ts';
import type { Json, JsonSchema, JsonSchemaObject } from '../../util/json-schema.ts';
import { ANNOTATIONS, asSchemaObject, isSchemaObject } from '../../model/schema-walk.ts';
import type { Parameter } from '../../model/source-model.ts';
import { makeSchemaTest } from '../../util/check-values.ts';
import { groupBy } from '../../util/collections.ts';
import { cleanName, keepsLetters } from '../names/clean-name.ts';
import { contentHash, fitName, addHash, addSuffix } from '../names/shorter-name.ts';
import { selectShortExamples } from '../schema/listed-examples.ts';
import { type SchemaView, resolveLoneReference, dropRedundantTitle } from '../schema/schema-view.ts';
import {
  htmlToPlainLine,
  htmlToPlainText,
  lastSendingSentence,
  appendWithinBudget,
} from '../text/plain-text.ts';
import { findFreeName } from '../../util/free-name.ts';

type ArgumentPlace = ParameterLocation | 'body';

export interface Placed {
  name: string;
  in: ArgumentPlace;
}

export const longestArgument = 64;

const places: readonly ArgumentPlace[] = ['path', 'query', 'querystring', 'header', 'cookie', 'body'];

interface ArgumentName {
  argument: string;
  /** Whether another item asks for the same name. */
  clashes: boolean;
}

export function nameArguments(items: readonly Placed[]): ArgumentName[] {
  const names = new Map<Placed, ArgumentName>();
  const takenNames = new Set<string>();
  const clashing: [Placed, string][] = [];
  for (const [argument, group] of groupBy(items, makeArgumentName)) {
    const inPath = group.filter((item) => item.in === 'path');
    const [bare] = group.length === 1 ? group : inPath.length === 1 ? inPath : [];
    if (bare !== undefined) {
      names.set(bare, { argument, clashes: group.length > 1 });
      takenNames.add(argument);
    }
    const others = group.filter((item) => item !== bare);
    clashing.push(...others.map((item): [Placed, string] => [item, distinctName(item, argument)]));
  }
  for (const [item, name] of clashing.sort(
    ([a], [b]) => places.indexOf(a.in) - places.indexOf(b.in) || compareCodeUnits(a.name, b.name),
  )) {
    const placed = addSuffix(name, item.in, longestArgument);
    const argument = findFreeName(
      placed,
      (free) => takenNames.has(free),
      (number) => addSuffix(placed, String(number), longestArgument),
    );
    names.set(item, { argument, clashes: true });
    takenNames.add(argument);
  }
  return items.map((item) => names.get(item) ?? { argument: makeArgumentName(item), clashes: false });
}

function makeArgumentName({ name }: Placed): string {
  return cleanArgumentName(name) || `value_${contentHash(name, 8)}`;
}

function cleanArgumentName(name: string): string {
  return fitName(cleanName(name), longestArgument);
}

/**
 * Adds a hash, since two names may differ only in dropped letters. A counter would change with the document's
 * order.
 */
function distinctName({ name }: Placed, bare: string): string {
  const readable = cleanArgumentName(name);
  return readable === '' || keepsLetters(name, readable) ? bare : addHash(bare, name, longestArgument);
}

/** Compares by UTF-16 code units, which gives the same order on every machine, whatever its locale. */
function compareCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export interface ToolArgument extends PartBinding {
  argument: string;
  name: string;
  in: ArgumentPlace;
  required: boolean;
  schema: JsonSchemaObject;
  parameter?: Parameter;
  /** Whether clients do not see the argument. */
  hidden?: boolean;
  constant?: KnownArgument;
}

export interface ArgumentWords {
  description?: string;
  deprecated?: boolean;
  /** How the value is sent. Default: what the schema's own description says of it. */
  fact?: string;
}

/**
 * Adds a description. `name` is the name on the wire, which is mentioned if the argument's name differs. `words` come
 * from the parameter or the body, and win over the schema's own prose. `budget`: characters of the description.
 */
export function addDescription(
  name: string,
  schema: JsonSchema,
  texts: ArgumentWords,
  budget: number,
): JsonSchemaObject {
  const own = typeof schema === 'boolean' ? undefined : schema.description;
  const text =
    htmlToPlainText(texts.description ?? '') || (typeof own === 'string' ? htmlToPlainText(own) : '');
  const deprecated = texts.deprecated === true || (typeof schema === 'object' && schema.deprecated === true);
  const marked = deprecated && !/^\W*deprecated/i.test(text) ? `Deprecated. ${text}` : text;
  const sent = keepsLetters(name, cleanArgumentName(name)) ? '' : `Sent as "${htmlToPlainLine(name)}". `;
  const description = appendWithinBudget(
    texts.fact ?? lastSendingSentence(own),
    `${sent}${marked}`.trim(),
    budget,
  );
  const lean = asSchemaObject(dropRedundantTitle(name, schema));
  return description === '' || description === own ? lean : { ...lean, description };
}

/**
 * Lists the first two examples that are short and of the schema's type. A reference is inlined, since clients ignore
 * keywords beside one.
 */
export function addExamples(
  schema: JsonSchema,
  found: readonly (Json | undefined)[],
  view: SchemaView,
): JsonSchema {
  if (!isSchemaObject(schema)) return schema;
  const target = asSchemaObject(resolveLoneReference(schema, view) ?? schema);
  const examples = selectShortExamples(schema, target, found);
  return examples.length === 0 ? schema : { ...target, examples };
}

/** Values that become empty text when they are sent. */
const emptyValues = ['', [], {}];

/**
 * Accepts the empty text for a query parameter with `allowEmptyValue`, unless the schema accepts an equivalent value.
 */
export function allowEmptyText(schema: JsonSchema, view: SchemaView): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const $defs = Object.fromEntries(view.collectReached([schema]));
  if (emptyValues.some(makeSchemaTest(schema, $defs))) return schema;
  const entries = Object.entries(schema);
  const isAnnotationKeyword = ([keyword]: [string, unknown]): boolean => ANNOTATIONS.has(keyword);
  const { textKeywords, rest } = {
    textKeywords: Object.fromEntries(entries.filter(isAnnotationKeyword)),
    rest: Object.fromEntries(entries.filter((entry) => !isAnnotationKeyword(entry))),
  };
  return { ...textKeywords, anyOf: [rest, { const: '' }] };
}

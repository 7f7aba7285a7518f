/**
 * Which keywords with schemas each reader of schemas asks for. A reader is given a schema below one keyword, and tells whether it
 * has seen it. A keyword that it leaves out on purpose is absent from its row.
 */
import applicator from 'ajv/dist/refs/json-schema-2020-12/meta/applicator.json' with { type: 'json' };
import content from 'ajv/dist/refs/json-schema-2020-12/meta/content.json' with { type: 'json' };
import core from 'ajv/dist/refs/json-schema-2020-12/meta/core.json' with { type: 'json' };
import unevaluatedKeywords from 'ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { collectBodyParts } from '../../src/derive/body/parts.ts';
import { reachesBytesSchema } from '../../src/derive/body/bytes-schema.ts';
import { toPatchSchema } from '../../src/derive/body/merge-patch.ts';
import { bindXml } from '../../src/derive/body/xml-binding.ts';
import { collectAnswerNames, keepMembersInSchema } from '../../src/derive/schema/answer-members.ts';
import { cutInputForListing } from '../../src/derive/schema/cut-schema.ts';
import { toListedSchema } from '../../src/derive/schema/listed-schema.ts';
import { makePropertyPruner } from '../../src/derive/schema/prune-properties.ts';
import { SchemaView } from '../../src/derive/schema/schema-view.ts';
import { compareSchemas } from '../../src/diff/compare-schemas.ts';
import type { LoadedDocument } from '../../src/frontends/openapi/load/loaded-document.ts';
import { indexIdentifiers } from '../../src/frontends/openapi/reference/identifier-index.ts';
import { cutEndlessReferences } from '../../src/frontends/openapi/schema/finish-schema.ts';
import { findMisshapen } from '../../src/frontends/typescript/schema/schema-shapes.ts';
import { hasGuardedPattern } from '../../src/model/feature-needs.ts';
import { KEYWORDS_WITH_SCHEMAS, collectRefs, listSubschemas } from '../../src/model/schema-walk.ts';
import { makeNullable } from '../../src/model/with-null.ts';
import type { JsonSchema, JsonSchemaObject } from '../../src/util/json-schema.ts';
import { partsOf } from '../../src/util/feature-parts.ts';
import { repair } from '../../templates/runtime/coerce.ts';
import { unevaluated } from '../../templates/runtime/features/unevaluated.ts';
import { Compiler } from '../../templates/runtime/validate.ts';
import { firstOperation, modelOf, withSchema } from '../frontends/openapi/reading.ts';

/** The keywords with schemas of the standard's own meta-schema, and how each holds them. */
const standard = [core, applicator, unevaluatedKeywords, content].flatMap(({ properties }) =>
  Object.entries<object>(properties).flatMap(([keyword, rule]): [string, 'schema' | 'list' | 'map'][] => {
    if ('$dynamicRef' in rule) return [[keyword, 'schema']];
    if (JSON.stringify(rule).includes('schemaArray')) return [[keyword, 'list']];
    return JSON.stringify(rule).includes('#meta') ? [[keyword, 'map']] : [];
  }),
);

test('the table has the keywords of the standard', () => {
  expect(new Map([...KEYWORDS_WITH_SCHEMAS].sort())).toEqual(new Map(standard.toSorted()));
});

function below(keyword: string, schema: JsonSchema, beside: JsonSchemaObject = {}): JsonSchemaObject {
  const holds = new Map(standard).get(keyword) ?? 'schema';
  const value = { schema, list: [schema], map: { m: schema } }[holds];
  return { ...beside, [keyword]: value };
}

const view = new SchemaView({}, (schema) => schema);
const prune = makePropertyPruner({}, 'readOnly');
const marker = { type: 'integer', title: 'Marker' } as const;
const bytes = { type: 'string', format: 'binary' } as const;
const text = { type: 'string' } as const;
const readOnly = { properties: { a: { ...text, readOnly: true } } };
const needs = { required: ['a'] };
const holdsA = { properties: { a: text } };
const large = { type: 'object', properties: { ['a'.repeat(20_000)]: text } } as const;

const read = (schema: JsonSchema) => modelOf(withSchema(schema, { Pet: holdsA }, '3.1.0'));

const says = (part: string, value: unknown): boolean => JSON.stringify(value).includes(part);

const branches = 'anyOf oneOf then else dependentSchemas';
const inPlace = `allOf ${branches} not if`;
const items = 'prefixItems items unevaluatedItems';
const otherMembers = 'patternProperties additionalProperties unevaluatedProperties';
const all = `${inPlace} ${items} ${otherMembers} properties contains propertyNames contentSchema $defs`;

const readers: [what: string, wanted: string, sees: (keyword: string) => unknown][] = [
  ['walks', all, (keyword) => listSubschemas(below(keyword, marker)).some(({ schema }) => schema === marker)],
  [
    'schemas of a document',
    all.replace(' $defs', ''),
    async (keyword) => 'Pet' in (await read(below(keyword, { $ref: '#/components/schemas/Pet' }))).schemas,
  ],
  [
    'tests in a document, to which no type is added',
    'not if',
    async (keyword) => {
      const { responses } = firstOperation(await read(below(keyword, holdsA, text)));
      return says(JSON.stringify(below(keyword, holdsA)).slice(1, -1), responses);
    },
  ],
  ['references', all, (keyword) => collectRefs(below(keyword, { $ref: '#' })).has('#')],
  ['bytes', all, (keyword) => reachesBytesSchema(below(keyword, bytes), view)],
  [
    'patterns that need a guard',
    all,
    (keyword) => {
      const inputSchema = below(keyword, { pattern: '(a+)+b' });
      return hasGuardedPattern({ tools: [{ inputSchema, binding: { kind: 'http' } }] } as never);
    },
  ],
  ['shapes of a noted schema', all, (keyword) => findMisshapen({ [keyword]: 3 })],
  [
    'anchors of a document, also of members with names of data',
    all,
    (keyword) => {
      const value = JSON.parse(JSON.stringify(below(keyword, { $anchor: 'A' })).replace('"m"', '"default"'));
      return indexIdentifiers({ text: '$anchor', base: 'https://e.com', value } as LoadedDocument).anchors
        .size;
    },
  ],
  [
    'references that never end',
    inPlace,
    (keyword) => {
      let circles = 0;
      cutEndlessReferences({ A: below(keyword, { $ref: '#/$defs/A' }) }, () => circles++);
      return circles;
    },
  ],
  [
    'null beside a type',
    'allOf anyOf oneOf not if',
    (keyword) => makeNullable(below(keyword, {}, text)).anyOf,
  ],
  [
    'requirements of what is read-only, removed',
    inPlace,
    (keyword) => !says('required', prune(below(keyword, needs, readOnly))),
  ],
  [
    'read-only members, not required beside',
    `allOf ${branches}`,
    (keyword) => !says('required', prune(below(keyword, readOnly, needs))),
  ],
  [
    'parts of a body',
    `allOf ${branches}`,
    (keyword) =>
      collectBodyParts({}, below(keyword, { properties: { a: bytes } }), view).parts.get('a')?.binary,
  ],
  [
    'parts of any name',
    `${otherMembers} ${items}`,
    (keyword) => collectBodyParts({}, below(keyword, bytes), view).rest?.binary,
  ],
  [
    'requirements of a merge patch, dropped (items are replaced as a whole)',
    `${inPlace} ${otherMembers} properties`,
    (keyword) => !says('required', toPatchSchema(below(keyword, needs), view)),
  ],
  [
    'members of a merge patch, removed by null',
    `${otherMembers} properties`,
    (keyword) => says('null', toPatchSchema(below(keyword, text), view)),
  ],
  // Members of patterns and remaining items have no nodes.
  [
    'nodes of XML',
    `allOf ${branches} properties additionalProperties unevaluatedProperties prefixItems items`,
    (keyword) =>
      says(
        '"a"',
        bindXml(below(keyword, holdsA, { xml: { name: 'r' } }), { schemas: {}, schemaOrigins: {} }) ?? 0,
      ),
  ],
  // Other members have any name.
  [
    'names of an answer',
    `allOf ${branches} ${items} properties`,
    (keyword) => says('"a"', collectAnswerNames(below(keyword, holdsA, { properties: {} }), view)),
  ],
  [
    'members that an answer loses, not required',
    `${inPlace} ${items} properties patternProperties contains propertyNames`,
    (keyword) => !says('required', keepMembersInSchema(below(keyword, needs), { select: { b: true } }, view)),
  ],
  [
    'schemas that evaluate items, which `unevaluatedItems` sees',
    `${inPlace} contains`,
    (keyword) => {
      const list = below(keyword, marker, { type: 'array', unevaluatedItems: text });
      const listed = toListedSchema({ type: 'object', properties: { list } }).properties?.['list'];
      return !says('"items"', listed);
    },
  ],
  [
    'names of alternatives',
    'anyOf oneOf',
    (keyword) => {
      const properties = { p: below(keyword, { $ref: '#/$defs/Named' }) };
      return says('"title":"Named"', toListedSchema({ type: 'object', properties, $defs: { Named: text } }));
    },
  ],
  [
    'one level deeper, when a schema is cut',
    `prefixItems items contains patternProperties additionalProperties`,
    (keyword) => {
      const p = below(keyword, large);
      return says('"/p/*', cutInputForListing({ type: 'object', properties: { p } }).schema);
    },
  ],
  [
    'changes',
    all.replace(' $defs', ''),
    (keyword) =>
      compareSchemas(below(keyword, text), below(keyword, marker)).some(
        ({ kind }) => kind !== 'keyword-changed',
      ),
  ],
  // `contentSchema` refuses nothing.
  [
    'checks of the runtime',
    all.replaceAll(/ contentSchema| \$defs/g, ''),
    (keyword) => {
      const compiler = new Compiler(true, { keywords: partsOf([unevaluated()], 'keywords') });
      // `then` and `else` mean nothing without `if`.
      compiler.compileKeywords(below(keyword, marker, { if: true }) as never);
      return compiler.checks.has(marker as never);
    },
  ],
  [
    'repairs of the runtime',
    `allOf ${branches} properties additionalProperties prefixItems items`,
    (keyword) =>
      ['1', { m: '1' }, ['1']].some((value) => !says('"1"', repair(below(keyword, marker) as never, value))),
  ],
];

test.each(readers)('%s', async (_what, wanted, sees) => {
  const seen = await Promise.all(standard.map(async ([keyword]) => ((await sees(keyword)) ? keyword : [])));
  expect(seen.flat().sort()).toEqual(wanted.split(' ').sort());
});

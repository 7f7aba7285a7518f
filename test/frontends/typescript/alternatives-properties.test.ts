// Whatever is revived is written as the same JSON, for types and values that are made up. Without tuples: what has no codec is
// only seen to be JSON, so that results of `[X, boolean[]] | Y[]` are not always told.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeArgument } from '../../../templates/runtime/functions/decode-arguments.ts';
import { resultToJson } from '../../../templates/runtime/functions/result-content.ts';
import { compileSchema } from '../../../templates/runtime/schema/compile-schema.ts';
import { readJson, writeJson } from '../../../templates/runtime/contract/json-value.ts';
import { expectCompiled, programOf, readerOf } from './type-program.ts';

/** A type as TypeScript says it, and the JSON of its values. */
interface Made {
  type: string;
  json: fc.Arbitrary<unknown>;
}

const leaf = (type: string, json: fc.Arbitrary<unknown>): Made => ({ type, json });

const leaves: Made[] = [
  leaf(
    'number',
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  ),
  leaf('string', fc.string()),
  leaf('boolean', fc.boolean()),
  leaf('null', fc.constant(null)),
  leaf("'x' | 'y'", fc.constantFrom('x', 'y')),
  leaf('1 | 2', fc.constantFrom(1, 2)),
  leaf('bigint', fc.integer()),
  leaf(
    'Date',
    fc
      .date({ min: new Date(0), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  ),
  leaf(
    'Uint8Array',
    fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
  ),
  leaf(
    'URL',
    fc.webUrl().map((url) => new URL(url).href),
  ),
];

/** Most names are met in several objects of a union. */
const names = ['a', 'b', 'kind'];

const { made } = fc.letrec<{ made: Made }>((tie) => ({
  made: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...leaves),
    tie('made').map(listOf),
    tie('made').map(mapOf),
    fc.constantFrom(...leaves).map(setOf),
    objectOf(tie('made')),
    fc.array(tie('made'), { minLength: 2, maxLength: 3 }).map(unionOf),
    fc.array(objectOf(tie('made')), { minLength: 2, maxLength: 3 }).map(unionOf),
  ),
}));

function listOf({ type, json }: Made): Made {
  return { type: `(${type})[]`, json: fc.array(json, { maxLength: 3 }) };
}

function setOf({ type, json }: Made): Made {
  const items = fc.uniqueArray(json, { maxLength: 3, selector: (item) => JSON.stringify(item) });
  return { type: `Set<${type}>`, json: items };
}

function mapOf({ type, json }: Made): Made {
  return {
    type: `Map<string, ${type}>`,
    json: fc.dictionary(fc.constantFrom(...names, 'z'), json, { noNullPrototype: true }),
  };
}

function objectOf(part: fc.Arbitrary<Made>): fc.Arbitrary<Made> {
  const member = fc.record({ name: fc.constantFrom(...names), isOptional: fc.boolean(), of: part });
  return fc
    .uniqueArray(member, { minLength: 1, maxLength: 3, selector: ({ name }) => name })
    .map((members) => ({
      type: `{ ${members.map(({ name, isOptional, of }) => `${name}${isOptional ? '?' : ''}: ${of.type}`).join('; ')} }`,
      json: fc.record(Object.fromEntries(members.map(({ name, of }) => [name, of.json])), {
        requiredKeys: members.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
        noNullPrototype: true,
      }),
    }));
}

function unionOf(parts: readonly Made[]): Made {
  return {
    type: `(${parts.map(({ type }) => type).join(' | ')})`,
    json: fc.oneof(...parts.map(({ json }) => json)),
  };
}

const seed = 20_260_131;
const rows = fc
  .sample(fc.array(made, { minLength: 2, maxLength: 3 }).map(unionOf), { numRuns: 150, seed })
  .map((row, index) => ({ ...row, name: `T${index}` }));
const program = programOf({
  'a.ts': rows.map(({ name, type }) => `export type ${name} = ${type};`).join('\n'),
});
expectCompiled(program);
const { read, reader } = readerOf(program);
const forms = rows.map(({ name }) => ({ input: read(name), output: read(name, { direction: 'output' }) }));
const { schemas, codecs } = reader;

test.each(rows)('$name: $type', ({ json }) => {
  const { input, output } = forms[rows.findIndex((row) => row.json === json)] ?? {};
  const accepts = compileSchema({ ...input?.schema, $defs: schemas });
  const roundTrip = (given: unknown): void => {
    const arrived = readJson(writeJson(given));
    expect(accepts(arrived)).toEqual([]);
    const written = resultToJson(decodeArgument(arrived, input?.codec, codecs), output?.codec, codecs);
    expect(JSON.parse(writeJson(written))).toEqual(JSON.parse(JSON.stringify(given)));
  };
  fc.assert(fc.property(json, roundTrip), { seed, numRuns: 40 });
});

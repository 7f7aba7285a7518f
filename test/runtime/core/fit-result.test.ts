/** Whatever an API answers, a structure holds all of it and matches the listed schema. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeToolEntry } from '../../../templates/runtime/core/call-tool.ts';
import { type Beside, besides, fitResult } from '../../../templates/runtime/core/handler-result.ts';
import type {
  Json,
  JsonObject,
  JsonSchema,
  ObjectSchema,
} from '../../../templates/runtime/contract/json-schema.ts';
import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import { featuresOf } from '../../../templates/runtime/protocol/revisions.ts';
import { deriveTool, operation, response } from '../../derive/support.ts';
import { newServer } from './harness.ts';

/** Few names, so that schemas and values meet. */
const name = fc.constantFrom('a', 'b', 'c/d~1', 'result', '_response', '_response_2', '');
const { value: json } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(null, true, 0, 1.5, 2 ** 53, '', 'x', '7', '😀'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonSchema>({}, { type: 'string' }, { type: 'integer', minimum: 3 }, { type: 'boolean' }),
    fc.constantFrom<JsonSchema>(
      { enum: ['x'] },
      { type: ['string', 'null'] },
      { const: 1 },
      { type: 'number' },
    ),
    fc.record({ type: fc.constant('array' as const), items: tie('schema') }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({
      type: fc.constant('object' as const),
      properties: fc.dictionary(name, tie('schema'), { maxKeys: 4, noNullPrototype: true }),
      required: fc.uniqueArray(name, { maxLength: 2 }),
    }),
    fc.record({ type: fc.constant('object' as const), additionalProperties: tie('schema') }),
  ),
}));
const beside = fc.option(fc.constant<Beside>({ headers: { etag: '"v1"' }, notes: ['It was cut.'] }), {
  nil: undefined,
});

function memberOf(structure: JsonObject): [name: string, response: JsonObject] | undefined {
  return Object.entries(structure)
    .filter((pair): pair is [string, JsonObject] => /^_response/.test(pair[0]) && isRecord(pair[1]))
    .findLast(([, { drifted, notes }]) => drifted !== undefined || notes !== undefined);
}

/** The answer, with what had moved out of it where it was. */
function putBack(structure: JsonObject, own: string, drifted: JsonObject): unknown {
  if ('' in drifted) return drifted[''];
  const root = structuredClone(structure);
  Reflect.deleteProperty(root, own);
  for (const [pointer, value] of Object.entries(drifted)) {
    const path = pointer
      .split('/')
      .slice(1)
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
    let parent = root as Record<string, unknown>;
    for (const token of path.slice(0, -1)) parent = parent[token] as Record<string, unknown>;
    parent[path.at(-1) ?? ''] = value;
  }
  return root;
}

test.each(['loose', 'strict'] as const)(
  'no value of an answer is lost: %s',
  { timeout: 120_000 },
  (outputSchema) => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false });
    fc.assert(
      fc.property(schema, json, beside, (described, answer, said) => {
        const responses = [response('200', 'application/json', described)];
        const { outputSchema: listed, binding } = deriveTool(
          operation('GET /x', { responses }),
          {},
          { outputSchema },
        );
        const isWrapped = 'result' in binding && binding.result !== undefined && 'wrapped' in binding.result;
        const whole = isWrapped ? { result: answer } : answer;
        const content = [{ type: 'text' as const, text: JSON.stringify(answer) }];
        if (said !== undefined) besides.set(content, said);
        const tool = makeToolEntry(newServer().server, {
          name: 'x',
          inputSchema: { type: 'object' },
          outputSchema: listed as ObjectSchema,
        });
        const features = featuresOf('2025-11-25');
        const fitted = fitResult(
          { content, structuredContent: whole },
          tool,
          features,
          { pruneRounds: 20 },
          () => undefined,
        );
        const { structuredContent: structure, isError } = fitted as {
          structuredContent?: JsonObject;
          isError?: boolean;
        };
        if (isError === true) {
          // Only where a member at the top is required, so that nothing could be left out.
          expect(outputSchema).toBe('strict');
          return;
        }
        if (structure === undefined) throw new Error('There is no structure.');
        if (listed !== undefined) {
          const validate = ajv.compile(listed);
          validate(structure);
          expect(validate.errors ?? []).toEqual([]);
        }
        const found = memberOf(structure);
        const plain = listed === undefined && !isRecord(whole) ? { result: whole } : whole;
        if (JSON.stringify(structure) === JSON.stringify(plain) && said === undefined) return;
        if (found === undefined) throw new Error('Something was lost.');
        const [own, { drifted, ...facts }] = found;
        expect(putBack(structure, own, (drifted ?? {}) as JsonObject)).toEqual(plain);
        expect(facts).toEqual(said ?? {});
      }),
      { numRuns: Number(process.env['FC_RUNS'] ?? 500) },
    );
  },
);

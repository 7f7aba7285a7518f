/** The validator must agree with Ajv on schemas and values that neither was written for. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anySchema, anyValue, isFairToAjv } from '../../support/any-schema.ts';
import { compileSchema } from './validator.ts';

type Schema = Parameters<typeof isFairToAjv>[0];

/** Not checked; the compiler lowers some to plain keywords. */
const LOWERED = /"(?:\$dynamic\w+|\$anchor|\$id|\$vocabulary|\$schema)"/;
const isChecked = (schema: Schema): boolean => !LOWERED.test(JSON.stringify(schema));

/** A schema with shared definitions, which may refer to one another and to themselves. */
const root = fc
  .tuple(anySchema, fc.tuple(anySchema, anySchema, anySchema))
  .map(([main, [d0, d1, d2]]): Schema => ({
    $defs: { d0, d1, d2 },
    ...(typeof main === 'boolean' ? { allOf: [main] } : main),
  }));

/** Undefined when the schema has a `$ref` that leads only to itself. */
function ours(document: Schema): ((value: unknown) => boolean) | undefined {
  try {
    const validate = compileSchema(document);
    return (candidate) => validate(candidate).length === 0;
  } catch {
    return undefined;
  }
}

/** Undefined for a `$ref` that leads only to itself, which Ajv follows to the end of the stack. */
function compileTheirs(ajv: Ajv2020, document: Schema): ((value: unknown) => boolean) | undefined {
  try {
    return ajv.compile(document as object);
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

/** Undefined where Ajv throws, as its record of evaluated properties sometimes makes it. */
function answer(theirs: (value: unknown) => boolean, candidate: unknown): boolean | undefined {
  try {
    return theirs(candidate);
  } catch {
    return undefined;
  }
}

test('agrees with Ajv on generated schemas and values', { timeout: 120_000 }, () => {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    logger: false,
    meta: false,
    validateSchema: false,
  });
  const seen = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(root, fc.array(anyValue, { minLength: 3, maxLength: 6 }), (document, values) => {
      const mine = ours(document);
      fc.pre(mine !== undefined && isFairToAjv(document) && isChecked(document));
      const theirs = compileTheirs(ajv, document);
      if (theirs === undefined) return;
      for (const candidate of values) {
        const want = answer(theirs, candidate);
        if (want === undefined) continue;
        seen[want ? 'valid' : 'invalid']++;
        expect(mine?.(candidate), JSON.stringify(candidate)).toBe(want);
      }
    }),
    { seed: 20201200, numRuns: 1_200, maxSkipsPerRun: 10 },
  );
  // Agreement means little unless both answers are common.
  expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(1_000);
});

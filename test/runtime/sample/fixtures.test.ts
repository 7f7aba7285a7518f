/** Every schema that the fixtures list has samples, short and full, and they are valid. */
import { expect, test } from 'vitest';
import { compile } from '../../../src/api/compile.ts';
import { documents, fixtures } from '../../support/fixture-documents.ts';
import { makeSample } from '../../../templates/runtime/sample/sample-of.ts';
import { commonFormats } from '../../../templates/runtime/schema/formats.ts';
import { compileSchema } from '../../../templates/runtime/schema/compile-schema.ts';
import '../../../templates/runtime/contract/regex/linear-patterns.ts';

test.each(documents)('%s', async (source) => {
  const { model } = await compile({ source, cwd: fixtures });
  const schemas = (model?.tools ?? []).flatMap(({ name, inputSchema, outputSchema }) =>
    [inputSchema, outputSchema].filter((schema) => schema !== undefined).map((schema) => ({ name, schema })),
  );
  const wrong = schemas.flatMap(({ name, schema }) =>
    [false, true].flatMap((full) => {
      const value = makeSample(schema, { full });
      const errors = compileSchema(schema, { formats: commonFormats })(value);
      return errors.map(({ message }) => `${name}: ${message}`);
    }),
  );
  expect(wrong).toEqual([]);
});

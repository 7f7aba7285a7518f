// Writes schema/server-model.json, the JSON Schema of what `mcpgen inspect --json` prints, from the model's
// types. With --check: exits 1 when the committed file is not what the types say.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { createGenerator } from 'ts-json-schema-generator';
import { readOptions } from './lib/usage.mjs';

const { values } = readOptions('npm run schema [-- --check]', { options: { check: { type: 'boolean' } } });
const root = fileURLToPath(new URL('..', import.meta.url));
const target = `${root}schema/server-model.json`;

const generator = createGenerator({
  path: `${root}src/model/server-model.ts`,
  tsconfig: `${root}tsconfig.json`,
  type: 'ServerModel',
  expose: 'export',
  topRef: false,
  additionalProperties: false,
  skipTypeCheck: true,
});
const { definitions, ...schema } = generator.createSchema('ServerModel');
const lifted = JSON.parse(
  JSON.stringify({
    ...schema,
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'ServerModel',
    $defs: definitions,
  }).replaceAll('"#/definitions/', '"#/$defs/'),
);
const text = await format(JSON.stringify(lifted), { ...(await resolveConfig(target)), parser: 'json' });

if (values.check) {
  if (read(target) !== text) {
    console.error(
      'schema/server-model.json is not what src/model/server-model.ts says. Run `npm run schema`.',
    );
    process.exitCode = 1;
  }
} else {
  writeFileSync(target, text);
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

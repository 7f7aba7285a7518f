// Writes the types of options from their table, and the JSON Schemas in schema/ from the types they describe: of
// `mcpgen inspect --json`, of `mcpgen.config.*`, and of `--json` of the other commands.
// With --check: exits 1 when a committed file is not what the types say.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { rolldown } from 'rolldown';
import { createGenerator } from 'ts-json-schema-generator';
import { optionTypes } from './lib/option-types.mjs';
import { readOptions } from './lib/usage.mjs';

const { values } = readOptions('npm run schema [-- --check]', { options: { check: { type: 'boolean' } } });
const root = fileURLToPath(new URL('..', import.meta.url));

const FUNCTIONS = ['Hooks'];

/** An editor finds the schema by `$schema`, so that a configuration has it too. */
const ofConfig = ({ $defs, ...schema }) => ({
  ...withPaths(schema),
  properties: {
    $schema: { type: 'string', description: 'Where this schema is.' },
    ...withPaths(schema).properties,
  },
  $defs: Object.fromEntries(
    Object.entries($defs)
      .filter(([name]) => !FUNCTIONS.includes(name))
      .map(([name, each]) => [name, withPaths(each)]),
  ),
});

/** JSON and YAML have no functions: they name modules. */
function withPaths(schema) {
  const paths = ['hooks']
    .filter((name) => schema.properties?.[name] !== undefined)
    .map((name) => [name, { type: 'string', description: schema.properties[name].description }]);
  return {
    ...schema,
    ...(paths.length > 0 && { properties: { ...schema.properties, ...Object.fromEntries(paths) } }),
  };
}

const schemas = [
  {
    file: 'server-model.json',
    source: 'src/model/server-model.ts',
    type: 'ServerModel',
    change: (schema) => schema,
  },
  {
    file: 'config.json',
    source: 'src/config/options/project-config.ts',
    type: 'ProjectConfig',
    change: ofConfig,
  },
  {
    file: 'json-output.json',
    source: 'src/cli/json-output.ts',
    type: 'JsonOutput',
    change: (schema) => schema,
  },
];
const { optionSentence, listRows } = await importSource('src/config/options/rows.ts');
const { TOOL_MEMBERS } = await importSource('src/config/options/tool-rules.ts');
const types = 'src/config/options/option-types.ts';
await update(types, optionTypes(listRows(), TOOL_MEMBERS, optionSentence), 'typescript', 'table.ts');
for (const { file, source, type, change } of schemas)
  await update(`schema/${file}`, print(change(schemaOf(source, type))), 'json', source);

/** A build would fail where an option is used whose type is not written yet, so the table is read without checking types. */
async function importSource(source) {
  const bundle = await rolldown({ input: root + source, platform: 'node', logLevel: 'silent' });
  const folder = mkdtempSync(path.join(tmpdir(), 'mcpgen-schema-'));
  try {
    const { output } = await bundle.write({ dir: folder, entryFileNames: '[name].mjs', format: 'esm' });
    return await import(pathToFileURL(path.join(folder, output[0].fileName)).href);
  } finally {
    await bundle.close();
    rmSync(folder, { recursive: true });
  }
}

async function update(file, text, parser, source) {
  const target = root + file;
  const formatted = await format(text, { ...(await resolveConfig(target)), parser });
  if (!values.check) {
    writeFileSync(target, formatted);
  } else if (read(target) !== formatted) {
    console.error(`${file} is not what ${source} says. Run \`npm run schema\`.`);
    process.exitCode = 1;
  }
}

function schemaOf(source, type) {
  const generator = createGenerator({
    path: root + source,
    tsconfig: `${root}tsconfig.json`,
    type,
    expose: 'export',
    topRef: false,
    additionalProperties: false,
    skipTypeCheck: true,
  });
  const { definitions, ...schema } = generator.createSchema(type);
  return {
    ...schema,
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: type,
    $defs: definitions,
  };
}

function print(schema) {
  return JSON.stringify(schema).replaceAll('"#/definitions/', '"#/$defs/');
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

// The official JSON-Schema-Test-Suite, draft 2020-12, against the runtime's validator.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { emptyResult, record, skip } from './result.mjs';

/** Files (by their start) that are left out, and why. Nothing required is. */
const skipped = [
  ['optional/cross-draft', 'other drafts are refused'],
  ['optional/dependencies-compatibility', '`dependencies` is no keyword of 2020-12'],
  ['optional/format-assertion', 'formats are asserted by option, not by vocabulary'],
  ['optional/format/idn-', 'internationalised formats are not asserted'],
  ['optional/format/iri', 'internationalised formats are not asserted'],
  ['optional/format/relative-json-pointer', 'no format of HTTP APIs'],
  ['optional/format/uri-template', 'not asserted'],
];

const dialect = 'draft2020-12';
const remoteBase = 'http://localhost:1234/';

/** @param {string} folder holds `tests/` and `remotes/` @param {string} dist the built project */
export async function runJsonSchema(folder, dist) {
  const { compileSchema } = await import(join(dist, 'templates/runtime/schema/compile-schema.js'));
  // Patterns that are not plain need the linear engine, which makes itself known.
  await import(join(dist, 'templates/runtime/contract/regex/linear-patterns.js'));
  const { commonFormats } = await import(join(dist, 'templates/runtime/schema/formats.js'));
  const schemas = { ...metaSchemas(), ...remotes(join(folder, 'remotes')) };
  const tests = join(folder, 'tests', dialect);
  const groups = [
    { suite: 'json-schema required', files: ownFiles(tests), options: {}, informative: false },
    {
      suite: 'json-schema optional',
      files: ownFiles(join(tests, 'optional')),
      options: {},
      informative: true,
    },
    {
      suite: 'json-schema format',
      files: ownFiles(join(tests, 'optional/format')),
      options: { formats: commonFormats },
      informative: true,
    },
  ];
  return groups.map(({ suite, files, options, informative }) => {
    const result = emptyResult(suite, informative);
    for (const file of files)
      runFile(result, file, (schema) => compileSchema(schema, { schemas, ...options }));
    return result;
  });
}

function runFile(result, file, compile) {
  for (const { description, schema, tests } of readJson(file)) {
    const group = `${file
      .slice(file.indexOf(dialect) + dialect.length + 1)
      .split(sep)
      .join('/')}: ${description}`;
    const [, reason] = skipped.find(([start]) => group.startsWith(start)) ?? [];
    if (reason !== undefined) skip(result, reason, tests.length);
    else runGroup(result, group, () => compile(schema), tests);
  }
}

function runGroup(result, group, compile, tests) {
  let validate;
  try {
    validate = compile();
  } catch (error) {
    for (const test of tests) record(result, `${group} / ${test.description}`, String(error));
    return;
  }
  for (const { description, data, valid } of tests) {
    record(result, `${group} / ${description}`, problemOf(validate, data, valid));
  }
}

function problemOf(validate, data, valid) {
  try {
    const errors = validate(data);
    if ((errors.length === 0) === valid) return undefined;
    return valid ? `refused: ${errors[0].message}` : 'accepted';
  } catch (error) {
    return String(error);
  }
}

/** The suite expects its `remotes/` to be served; here they are handed over. */
function remotes(folder) {
  const files = allFiles(folder).map((file) => [relative(folder, file).split(sep).join('/'), file]);
  return Object.fromEntries(files.map(([path, file]) => [remoteBase + path, readJson(file)]));
}

/** The 2020-12 meta-schemas, which the suite takes for granted; read from the copy Ajv carries. */
function metaSchemas() {
  const require = createRequire(import.meta.url);
  const names = [
    'core',
    'applicator',
    'unevaluated',
    'validation',
    'meta-data',
    'format-annotation',
    'content',
  ];
  const files = ['schema', ...names.map((name) => `meta/${name}`)];
  const found = files.map((name) => require(`ajv/dist/refs/json-schema-2020-12/${name}.json`));
  return Object.fromEntries(found.map((schema) => [schema.$id, schema]));
}

/** The JSON files of a folder itself. */
function ownFiles(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'));
  return files.map(({ name }) => join(folder, name)).sort();
}

/** The JSON files of a folder and of all below it. */
function allFiles(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const below = entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => allFiles(join(folder, name)));
  return [...ownFiles(folder), ...below];
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

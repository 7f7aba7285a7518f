// The official JSON-Schema-Test-Suite, draft 2020-12, against the runtime's validator.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { emptyResult, record, skip } from './result.mjs';

/** Groups that are left out: `file: description` → reason. */
const skipped = new Map([]);

const dialect = 'draft2020-12';
const remoteBase = 'http://localhost:1234/';

/** @param {string} folder holds `tests/` and `remotes/` @param {string} dist the built project */
export async function runJsonSchema(folder, dist) {
  const { compileSchema } = await import(join(dist, 'templates/runtime/schema/index.js'));
  const { commonFormats } = await import(join(dist, 'templates/runtime/schema/formats.js'));
  const schemas = { ...metaSchemas(), ...remotes(join(folder, 'remotes')) };
  const tests = join(folder, 'tests', dialect);
  const run = (suite, files, options, informative) => {
    const result = emptyResult(suite, informative);
    for (const file of files) runFile(result, file, (schema) => compileSchema(schema, { schemas, ...options }));
    return result;
  };
  const optional = jsonFiles(join(tests, 'optional'));
  const formats = optional.filter((file) => file.includes('/format/'));
  return [
    run('json-schema required', jsonFiles(tests).filter((file) => !file.includes('/optional/')), {}, false),
    run('json-schema optional', optional.filter((file) => !file.includes('/format/')), {}, true),
    run('json-schema format', formats.filter(({ length }) => length), { formats: commonFormats }, true),
  ];
}

function runFile(result, file, compile) {
  for (const { description, schema, tests } of readJson(file)) {
    const group = `${file.slice(file.indexOf(dialect) + dialect.length + 1)}: ${description}`;
    const reason = skipped.get(group);
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

/** The suite expects its `remotes/` to be served; here they are handed over. Other drafts' files are left out. */
function remotes(folder) {
  const files = jsonFiles(folder).map((file) => [relative(folder, file).replaceAll('\\', '/'), file]);
  return Object.fromEntries(files.map(([path, file]) => [remoteBase + path, readJson(file)]));
}

/** The 2020-12 meta-schemas, which the suite takes for granted; read from the copy Ajv carries. */
function metaSchemas() {
  const require = createRequire(import.meta.url);
  const names = ['core', 'applicator', 'unevaluated', 'validation', 'meta-data', 'format-annotation', 'content'];
  const files = ['schema', ...names.map((name) => `meta/${name}`)];
  const found = files.map((name) => require(`ajv/dist/refs/json-schema-2020-12/${name}.json`));
  return Object.fromEntries(found.map((schema) => [schema.$id, schema]));
}

function jsonFiles(folder) {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? jsonFiles(path) : path.endsWith('.json') ? [path] : []));
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

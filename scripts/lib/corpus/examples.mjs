/**
 * Every example of a request body that a document has must pass the input check of its tool. An example that does not
 * even fit the schema of its own document is no fault of ours: those are counted by cause.
 */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { parseText } from '../../../dist/src/frontends/openapi/load/parse-text.js';
import { compileSchema } from '../../../dist/src/util/check-values.js';
import { repair } from '../../../dist/templates/runtime/coerce.js';

/** Returns `examples`: how many there are; `misses`: by cause; `faults`: those that the document's own schema takes. */
export function judgeExamples(model, file) {
  const { value: document } = parseText(readFileSync(file, 'utf8'), file, { depth: 1_000, jsonDepth: 1_000 });
  const judged = { examples: 0, misses: {}, faults: [] };
  for (const { name, inputSchema, binding } of model.tools) {
    if (binding.kind !== 'http' || binding.body === undefined) continue;
    const check = compileSchema(withoutOtherArguments(inputSchema, binding.body));
    for (const { value, schema } of listExamples(document, binding)) {
      const args = toArguments(value, binding.body);
      if (args === undefined) continue;
      judged.examples += 1;
      const [misfit] = check(repair(inputSchema, args));
      if (misfit === undefined) continue;
      const cause = findCause(document, schema, value, misfit);
      if (cause === undefined) judged.faults.push(`${name} refuses an example: ${misfit.message}`);
      else judged.misses[cause] = (judged.misses[cause] ?? 0) + 1;
    }
  }
  return judged;
}

/** Parameters are not the body's: whether they are there is not judged. */
function withoutOtherArguments(schema, { argument, properties = [] }) {
  const ofBody = new Set([argument, ...properties.map((property) => property.argument)]);
  return { ...schema, required: (schema.required ?? []).filter((name) => ofBody.has(name)) };
}

/** Members that no argument is for keep their names, and are refused. Undefined for what is no object where one is wanted. */
function toArguments(value, { argument, properties = [] }) {
  if (argument !== undefined) return { [argument]: value };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const names = new Map(properties.map((property) => [property.name, property.argument]));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [names.get(name) ?? name, member]));
}

function listExamples(document, { method, path, body }) {
  const item = follow(document, document.paths?.[path]);
  const operation = item?.[method.toLowerCase()] ?? {};
  const parameters = [...(item?.parameters ?? []), ...(operation.parameters ?? [])];
  const inBody = parameters.map((one) => follow(document, one)).find((one) => one?.in === 'body');
  const content = follow(document, operation.requestBody)?.content ?? {};
  const type = Object.keys(content).find((key) => key.toLowerCase() === body.mediaType.toLowerCase());
  if (!/json/.test(type ?? (inBody && 'json') ?? '')) return [];
  const holder = content[type] ?? inBody;
  const schema = follow(document, holder.schema) ?? {};
  const named = Object.values(holder.examples ?? {}).map((one) => follow(document, one)?.value);
  const values = [holder.example, ...named, schema.example, ...[schema.examples ?? []].flat()];
  return values.filter((value) => value !== undefined).map((value) => ({ value, schema: holder.schema }));
}

function follow(document, value) {
  const { $ref } = value ?? {};
  if (typeof $ref !== 'string') return value;
  const steps = $ref.replace(/^#\/?/, '').split('/').filter(Boolean);
  const target = steps.reduce(
    (here, step) => here?.[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
  return target === value ? undefined : follow(document, target);
}

const validators = new WeakMap();

/** Undefined if the document's own schema takes the example. */
function findCause(document, schema, value, misfit) {
  if (isReadOnlyMember(document, schema, misfit)) return 'it has a member that is read-only';
  try {
    let ajv = validators.get(document);
    if (ajv === undefined) {
      ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, logger: false });
      ajv.addSchema({ ...document, $id: 'document' }, 'document');
      validators.set(document, ajv);
    }
    const pointed = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
    const check = ajv.compile(pointed);
    if (!check(value)) return `the document's schema refuses it too (${check.errors[0].keyword})`;
  } catch (error) {
    return `its schema can't be judged (${String(error.message).slice(0, 40)})`;
  }
  // JSON Schema takes members that a schema doesn't name; a tool refuses arguments that it doesn't know.
  if (/is not a known property/.test(misfit.message)) return 'it has a member that its schema does not name';
  return undefined;
}

function isReadOnlyMember(document, schema, { path, message }) {
  if (!/is not a known property/.test(message)) return false;
  const name = path.at(-1);
  const holds = (one, depth) => {
    const target = follow(document, one);
    if (typeof target !== 'object' || target === null || depth > 6) return false;
    if (follow(document, target.properties?.[name])?.readOnly === true) return true;
    const inner = [target.items, ...Object.values(target.properties ?? {})];
    return [...inner, ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => target[key] ?? [])].some((part) =>
      holds(part, depth + 1),
    );
  };
  return holds(schema, 0);
}

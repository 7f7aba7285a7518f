/** Checks of everything that a server lists. Each returns the faults it finds, in words. */
import { Ajv2020 } from 'ajv/dist/2020.js';

import { describeHidden } from '../../../dist/src/model/clean-prose.js';

const toolName = /^[A-Za-z0-9_-]{1,64}$/;
/** Of the names of server and tool together. */
const together = 57;
const argumentName = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * @param {{ name: string }[]} tools
 * @param {string} server
 * @returns {string[]} invalid, long and repeated names
 */
export function nameFaults(tools, server) {
  const seen = new Set();
  return tools.flatMap(({ name }) => {
    const faults = toolName.test(name) ? [] : [`the tool name ${JSON.stringify(name)} is invalid`];
    if (server.length + name.length > together) faults.push(`${name} is too long behind ${server}`);
    if (seen.has(name)) faults.push(`two tools are named ${name}`);
    seen.add(name);
    return faults;
  });
}

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

/**
 * Each tool describes itself in words that are neither its name nor its title, states all hints, and hides nothing.
 * @param {{ name: string, title?: string, description?: string, annotations?: object }[]} tools
 * @returns {string[]}
 */
export function wordFaults(tools) {
  return tools.flatMap(({ name, title = '', description = '', annotations = {}, ...rest }) => {
    const words = bare(description.replace(/^Deprecated\. /, ''));
    const faults = [name, title].map(bare).includes(words) ? [`${name}: the description says nothing`] : [];
    const missing = hints.filter((hint) => typeof annotations[hint] !== 'boolean');
    if (missing.length > 0) faults.push(`${name}: no ${missing.join(', ')}`);
    const hidden = proseOf({ title, description, rest })
      .map(describeHidden)
      .find((found) => found !== undefined);
    if (hidden !== undefined) faults.push(`${name}: hidden: ${hidden}`);
    return faults;
  });
}

function bare(text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The titles and descriptions at any depth. */
function proseOf(value) {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    typeof member === 'string' && ['title', 'description'].includes(key) ? [member] : proseOf(member),
  );
}

/**
 * Every schema is 2020-12 that Ajv compiles, an object at the top and no union there, without dangling references, in
 * the form that clients bear, and its arguments have names that they accept.
 * @param {{ name: string, inputSchema: object, outputSchema?: object }[]} tools
 * @returns {string[]}
 */
export function schemaFaults(tools) {
  return tools.flatMap(({ name, inputSchema, outputSchema }) => {
    const faults = oneSchemaFaults(`${name}.inputSchema`, inputSchema);
    for (const key of Object.keys(inputSchema.properties ?? {})) {
      if (!argumentName.test(key)) faults.push(`${name}: the argument ${JSON.stringify(key)} is invalid`);
    }
    return outputSchema === undefined
      ? faults
      : [...faults, ...oneSchemaFaults(`${name}.outputSchema`, outputSchema)];
  });
}

function oneSchemaFaults(where, schema) {
  const faults = [];
  if (schema.type !== 'object')
    faults.push(`${where}: the type at the top is ${JSON.stringify(schema.type)}`);
  for (const keyword of ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'])
    if (Object.hasOwn(schema, keyword)) faults.push(`${where}: ${keyword} is at the top`);
  faults.push(...formFaults(schema).map((fault) => `${where}: ${fault}`));
  const problem = compileProblem(schema);
  if (problem !== undefined) faults.push(`${where}: ${problem}`);
  return faults;
}

/** A fresh Ajv per schema: none of them may lean on another. */
function compileProblem(schema) {
  const logger = false;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger, inlineRefs: false });
  try {
    ajv.compile(schema);
    return undefined;
  } catch (error) {
    return String(error instanceof Error ? error.message : error).slice(0, 200);
  }
}

const schemaMaps = ['properties', 'patternProperties', '$defs', 'dependentSchemas'];
const schemaLists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const schemaValues = [
  ...['items', 'contains', 'unevaluatedItems', 'additionalProperties', 'unevaluatedProperties'],
  ...['propertyNames', 'not', 'if', 'then', 'else', 'contentSchema'],
];

const besideRef = new Set(['$ref', 'description', 'default']);

/**
 * `$ref`s, also of `$defs` that nothing reaches, that lead nowhere, have siblings or are the only one to their target;
 * arrays without `items`.
 */
function formFaults(root) {
  const faults = [];
  const uses = new Map();
  const pending = [root];
  while (pending.length > 0) {
    const schema = pending.pop();
    if (typeof schema !== 'object' || schema === null) continue;
    const { $ref } = schema;
    if (typeof $ref === 'string') {
      uses.set($ref, (uses.get($ref) ?? 0) + 1);
      if (!resolves(root, $ref)) faults.push(`${$ref} leads nowhere`);
      const beside = Object.keys(schema).filter((key) => !besideRef.has(key));
      if (beside.length > 0) faults.push(`${beside.join(', ')} beside ${$ref}`);
    }
    if ([schema.type].flat().includes('array') && schema.items === undefined)
      faults.push('an array has no items');
    for (const key of schemaMaps) pending.push(...Object.values(schema[key] ?? {}));
    for (const key of schemaLists) pending.push(...(schema[key] ?? []));
    for (const key of schemaValues) if (Object.hasOwn(schema, key)) pending.push(schema[key]);
  }
  for (const [ref, count] of uses) if (count === 1) faults.push(`${ref} is used once`);
  return faults;
}

function resolves(root, ref) {
  if (!ref.startsWith('#')) return false;
  let here = root;
  for (const part of decodeURIComponent(ref.slice(1)).split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return false;
    here = here[key];
  }
  return true;
}

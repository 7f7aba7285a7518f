/**
 * Values of schemas: samples of everything a server lists, judged by our own validator, and the form in which schemas are
 * listed, judged by that in which they were derived: both must accept the same.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';

import { toListedSchema } from '../../../dist/src/derive/schema/listed-schema.js';
import { describeHidden } from '../../../dist/src/model/clean-prose.js';
import { compileSchema } from '../../../dist/src/util/check-values.js';
import { makeSample } from '../../../dist/templates/runtime/features/mock/sample.js';
import { Random } from '../random.mjs';
import { walk } from './client-subsets.mjs';

/**
 * A short and a full sample of each input and output schema. Returns `missing`: no valid value was found; `faults`:
 * an invalid one was given.
 */
export function judgeSamples(tools) {
  const judged = { made: 0, missing: [], faults: [] };
  for (const { name, ...tool } of tools) {
    for (const kind of ['inputSchema', 'outputSchema'].filter((one) => tool[one] !== undefined)) {
      for (const full of [false, true])
        judgeOne(`${name}.${kind}${full ? ', full' : ''}`, tool[kind], full, judged);
    }
  }
  return judged;
}

function judgeOne(where, schema, full, judged) {
  const value = makeSample(schema, { full });
  judged.made++;
  if (value === undefined) return judged.missing.push(where);
  const [misfit] = compileSchema(schema)(value);
  if (misfit !== undefined) judged.faults.push(`${where}: ${misfit.message}`);
}

/** Changed samples of each schema. */
const variants = 20;

/** `tools`: of the model; returns `refused`: values that both refuse. */
export function judgeListed(tools) {
  const judged = { compared: 0, refused: 0, faults: [] };
  const random = new Random(20);
  for (const { name, ...tool } of tools) {
    for (const kind of ['inputSchema', 'outputSchema'].filter((one) => tool[one] !== undefined))
      compareForms(`${name}.${kind}`, tool[kind], random, judged);
  }
  return judged;
}

function compareForms(where, schema, random, judged) {
  const [derived, listed] = [compiled(schema), compiled(toListedSchema(schema))];
  const samples = [false, true]
    .map((full) => makeSample(schema, { full }))
    .filter((value) => value !== undefined);
  const changed = samples.flatMap((sample) =>
    Array.from({ length: variants / 2 }, () => change(sample, random)),
  );
  for (const value of [{}, ...samples, ...changed]) {
    const verdict = derived(value);
    judged.compared += 1;
    if (!verdict) judged.refused += 1;
    if (listed(value) !== verdict)
      judged.faults.push(
        `${where}: listed, it ${verdict ? 'refuses' : 'takes'} ${JSON.stringify(value).slice(0, 200)}`,
      );
  }
}

/** A fresh Ajv per schema: none of them may lean on another. That the schemas are valid is checked elsewhere. */
function compiled(schema) {
  const unchecked = {
    strict: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    logger: false,
  };
  return new Ajv2020({ ...unchecked, inlineRefs: false }).compile(schema);
}

const strangers = [null, true, 0, -1.5, 1e9, '', 'x', [], [null], [{}, 1], {}, { x: 1 }];

/** A copy with one part, at any depth, left out, added or replaced by something else. */
function change(value, random) {
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return random.pick(strangers);
  const keys = Object.keys(value);
  const key = random.pick(keys);
  if (key === undefined || random.chance(0.1))
    return Array.isArray(value) ? [...value, random.pick(strangers)] : { ...value, extra: 1 };
  if (random.chance(0.2)) {
    return Array.isArray(value)
      ? value.toSpliced(Number(key), 1)
      : Object.fromEntries(Object.entries(value).filter(([one]) => one !== key));
  }
  const part = change(value[key], random);
  return Array.isArray(value) ? value.with(Number(key), part) : { ...value, [key]: part };
}

const toolName = /^[A-Za-z0-9_-]{1,64}$/;
/** Of the names of server and tool together. */
const together = 57;
const argumentName = /^[A-Za-z0-9_.-]{1,64}$/;

/** Invalid, long and repeated names. */
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

/** Each tool describes itself in words that are neither its name nor its title, states all hints, and hides nothing. */
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

const besideRef = new Set(['$ref', 'description', 'default']);

/**
 * `$ref`s, also of `$defs` that nothing reaches, that lead nowhere, have siblings or are the only one to their
 * target; arrays without `items`.
 */
export function formFaults(root) {
  const uses = new Map();
  const faults = walk(root, '#', (schema) => {
    const { $ref } = schema;
    const lacksItems = [schema.type].flat().includes('array') && schema.items === undefined;
    const form = lacksItems ? ['an array has no items'] : [];
    if (typeof $ref !== 'string') return form;
    uses.set($ref, (uses.get($ref) ?? 0) + 1);
    if (!resolves(root, $ref)) form.push(`${$ref} leads nowhere`);
    const beside = Object.keys(schema).filter((key) => !besideRef.has(key));
    if (beside.length > 0) form.push(`${beside.join(', ')} beside ${$ref}`);
    return form;
  });
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

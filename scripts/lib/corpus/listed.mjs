/** Judges the form in which schemas are listed by that in which they were derived: both must accept the same values. */
import { Ajv2020 } from 'ajv/dist/2020.js';

import { toListedSchema } from '../../../dist/src/derive/schema/listed-schema.js';
import { makeSample } from '../../../dist/templates/runtime/sample/sample-of.js';

/** Changed samples of each schema. */
const variants = 20;

/**
 * @param {{ name: string, inputSchema: object, outputSchema?: object }[]} tools of the model
 * @returns {{ compared: number, refused: number, faults: string[] }} `refused`: values that both refuse
 */
export function judgeListed(tools) {
  const judged = { compared: 0, refused: 0, faults: [] };
  const random = mulberry(20);
  for (const { name, ...tool } of tools) {
    for (const kind of ['inputSchema', 'outputSchema'].filter((one) => tool[one] !== undefined))
      judgeOne(`${name}.${kind}`, tool[kind], random, judged);
  }
  return judged;
}

function judgeOne(where, schema, random, judged) {
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
  const draw = (list) => list[Math.floor(random() * list.length)];
  if (typeof value !== 'object' || value === null || random() < 0.1) return draw(strangers);
  const keys = Object.keys(value);
  const key = draw(keys);
  if (key === undefined || random() < 0.1)
    return Array.isArray(value) ? [...value, draw(strangers)] : { ...value, extra: 1 };
  if (random() < 0.2) {
    return Array.isArray(value)
      ? value.toSpliced(Number(key), 1)
      : Object.fromEntries(Object.entries(value).filter(([one]) => one !== key));
  }
  const part = change(value[key], random);
  return Array.isArray(value) ? value.with(Number(key), part) : { ...value, [key]: part };
}

/** The same numbers in every run. */
function mulberry(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

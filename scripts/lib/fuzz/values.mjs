import fc from 'fast-check';
import { jsonWith, textOf, words } from './texts.mjs';

/** A URI matches with texts, or not at all, and so does what a template makes. */
export async function uriTemplates(load) {
  const feature = await load('templates/runtime/features/uri-templates');
  const { templates, expansions } = feature.uriTemplates().parts;
  const template = textOf(words('{id} {+path} {/a,b} {?q*} {&r} {#f} {;s:3} {.t} { } / x:// %41 % , * é 😀'));
  const uri = textOf(
    ['x://', 'a', '/', '?q=', '&', ';s=', '#', '%2F', '%', '%zz', ',', '..', '%2e%2e', 'é', '\u0000'],
    20,
  );
  const values = fc.dictionary(
    fc.constantFrom('id', 'path', 'a', 'b', 'q', 'r', 'f', 's', 't'),
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 }),
    ),
  );
  return fc.property(template, uri, values, (pattern, text, variables) => {
    for (const candidate of [text, expansions.expand(pattern, variables)]) {
      const match = templates.match(pattern, candidate) ?? {};
      if (!Object.values(match).every((value) => typeof value === 'string'))
        throw new Error(`no text: ${JSON.stringify(match)}`);
    }
  });
}

const types = ['string', 'number', 'integer', 'object', 'array', 'null', 'boolean'];
const keywords = [
  ...words('type properties items required enum const allOf anyOf oneOf not if then else'),
  ...['$ref', '$defs', '$id', '$anchor', '$dynamicRef', '$dynamicAnchor'],
  ...words(`
    pattern patternProperties additionalProperties propertyNames minLength maxLength minimum multipleOf
    format uniqueItems contains prefixItems
  `),
  ...words(`
    unevaluatedProperties unevaluatedItems dependentSchemas dependentRequired minItems maxProperties a b
  `),
];

/** A value is valid, or it is said what is wrong with it; a schema with a dangling reference is refused. */
export async function validator(load) {
  const { compileSchema } = await load('src/util/check-values');
  const { findMisshapen } = await load('src/frontends/typescript/schema/schema-shapes');
  const { repair } = await load('templates/runtime/coerce');
  const schema = jsonWith(keywords, [
    ...types,
    '#',
    '#/$defs/a',
    '#a',
    'a',
    '^a+$',
    '(a+)+$',
    '[',
    'date-time',
    '\\1',
  ]);
  const value = jsonWith(['a', 'b', 'c', '$ref'], ['a', 'b', '1', '2024-01-01T00:00:00Z']);
  return fc.property(schema, value, (root, instance) => {
    if (typeof root !== 'object' || root === null || Array.isArray(root)) return;
    // The front ends refuse these.
    if (findMisshapen(root) !== undefined) return;
    try {
      const check = compileSchema(root);
      for (const misfit of check(instance))
        if (typeof misfit.message !== 'string') throw new Error('no words');
      check(repair(root, instance));
    } catch (error) {
      if (!/^The schema (?:has no|is of the dialect) /.test(error.message)) throw error;
    }
    if ({}.polluted !== undefined) throw new Error('polluted');
  });
}

/** The machine that never goes back finds what the engine finds. */
export async function patterns(load) {
  const { parseRegex } = await load('templates/runtime/features/patterns/parse-regex');
  const { compileMachine, runMachine } = await load('templates/runtime/features/patterns/machine');
  const source = textOf(
    [
      ...words('a b . [ab] [^a] ^ ( ) (?: (?= (?! (?<= (?<! | * + ? {2} {1,3} ] 😀 -'),
      '\\w',
      '\\d',
      '$',
      '\\b',
      '\\p{L}',
      '\\-',
      '\\u{61}',
      '\\1',
    ],
    9,
  );
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '\n', '-', '😀', ']'), maxLength: 8 });
  return fc.property(
    source,
    fc.array(text, { minLength: 1, maxLength: 4 }),
    fc.boolean(),
    (written, texts, unicode) => {
      const engine = compiled(written, unicode);
      if (engine === undefined) return;
      const tree = parseRegex(written, unicode);
      const machine = tree && compileMachine(tree);
      if (machine === undefined) return;
      for (const each of texts)
        if (runMachine(machine, each, unicode, () => undefined) !== engine.test(each))
          throw new Error(`the machine differs on ${JSON.stringify(each)}`);
    },
  );
}

function compiled(source, unicode) {
  try {
    return new RegExp(source, unicode ? 'u' : '');
  } catch {
    return undefined;
  }
}

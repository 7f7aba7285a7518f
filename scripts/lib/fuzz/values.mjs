import fc from 'fast-check';
import { jsonWith, textOf } from './texts.mjs';

/** A template is read or refused; a URI matches with texts, or not at all. */
export async function uriTemplates(load) {
  const { matchUriTemplate, expandUriTemplate, UriTemplateError } = await load(
    'templates/runtime/uri-template/index',
  );
  const template = textOf([
    '{id}',
    '{+path}',
    '{/a,b}',
    '{?q*}',
    '{&r}',
    '{#f}',
    '{;s:3}',
    '{.t}',
    '{',
    '}',
    '/',
    'x://',
    '%41',
    '%',
    ',',
    '*',
    'é',
    '😀',
  ]);
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
  return fc.property(template, uri, values, (pattern, text, given) => {
    try {
      for (const each of [text, expandUriTemplate(pattern, given)]) {
        const found = matchUriTemplate(pattern, each) ?? {};
        if (
          !Object.values(found)
            .flat()
            .every((value) => typeof value === 'string')
        )
          throw new Error(`no text: ${JSON.stringify(found)}`);
      }
    } catch (error) {
      if (!(error instanceof UriTemplateError)) throw error;
    }
  });
}

const types = ['string', 'number', 'integer', 'object', 'array', 'null', 'boolean'];
const keywords = [
  ...[
    'type',
    'properties',
    'items',
    'required',
    'enum',
    'const',
    'allOf',
    'anyOf',
    'oneOf',
    'not',
    'if',
    'then',
    'else',
    '$ref',
    '$defs',
    '$id',
    '$anchor',
    '$dynamicRef',
    '$dynamicAnchor',
  ],
  ...[
    'pattern',
    'patternProperties',
    'additionalProperties',
    'propertyNames',
    'minLength',
    'maxLength',
    'minimum',
    'multipleOf',
    'format',
    'uniqueItems',
    'contains',
    'prefixItems',
  ],
  ...[
    'unevaluatedProperties',
    'unevaluatedItems',
    'dependentSchemas',
    'dependentRequired',
    'minItems',
    'maxProperties',
    'a',
    'b',
  ],
];

/** A schema is compiled or refused as a defect; a value is valid, or it is said what is wrong with it. Samples of a schema are valid. */
export async function validator(load) {
  await load('templates/runtime/contract/regex/linear-patterns');
  const { compileSchema, repairArguments, SchemaDefect } = await load(
    'templates/runtime/schema/compile-schema',
  );
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
  return fc.property(schema, value, (given, instance) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return;
    try {
      const validate = compileSchema(given);
      for (const error of validate(instance))
        if (typeof error.message !== 'string') throw new Error('no words');
      validate(repairArguments(given, instance));
    } catch (error) {
      if (!(error instanceof SchemaDefect)) throw error;
    }
    if ({}.polluted !== undefined) throw new Error('polluted');
  });
}

/** The machine that never goes back finds what the engine finds. */
export async function patterns(load) {
  const { parseRegex } = await load('templates/runtime/contract/regex/parse-regex');
  const { compileProgram, examineExpression, runProgram } = await load(
    'templates/runtime/contract/regex/linear-patterns',
  );
  const source = textOf(
    [
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      '\\d',
      '^',
      '$',
      '\\b',
      '(',
      ')',
      '(?:',
      '(?=',
      '(?!',
      '|',
      '*',
      '+',
      '?',
      '{2}',
      '{1,3}',
      '\\p{L}',
      '\\-',
      ']',
      '😀',
      '\\u{61}',
      '-',
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
      const meter = { spendSteps: () => undefined };
      const { guard, test } = examineExpression(engine);
      const tree = parseRegex(written, unicode);
      const program = tree === undefined ? undefined : compileProgram(tree);
      for (const each of texts) {
        const wanted = engine.test(each);
        if (program !== undefined && runProgram(program, each, unicode, meter) !== wanted)
          throw new Error(`the machine differs on ${JSON.stringify(each)}`);
        if (guard !== 'unsafe' && test(each, meter) !== wanted)
          throw new Error(`the guard differs on ${JSON.stringify(each)}`);
      }
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

/** Slips of the pen: each works as it was meant, or is told. */
import { expect, test } from 'vitest';
import { firstOperation, folderOf, modelOf, read, readSource, withOperation, withSchema } from './reading.ts';

const operationAt = '/paths/~1a/get';
const schemaAt = `${operationAt}/responses/200/content/application~1json/schema`;

test.each<[operation: object, want: object, told: string[]]>([
  [{ operationId: 5 }, { operationId: '5' }, []],
  [
    { operationId: true, summary: 404, tags: [2024] },
    { operationId: 'true', summary: '404', tags: ['2024'] },
    [],
  ],
  [{ operationId: ['a'] }, {}, [`warning invalid-piece ${operationAt}/operationId`]],
  [{ operationId: null, summary: null }, {}, []],
  [{ summary: {} }, {}, [`warning invalid-piece ${operationAt}/summary`]],
  [{ tags: ['a', { name: 'b' }] }, { tags: ['a'] }, [`warning invalid-piece ${operationAt}/tags/1`]],
])('words that are not text: %j', async (operation, want, lines) => {
  const { model, told } = await read(withOperation(operation));
  expect(told).toEqual(lines);
  expect(model && firstOperation(model)).toMatchObject(want);
  expect(model && 'operationId' in firstOperation(model)).toBe('operationId' in want);
});

function yaml(schema: string): string {
  const response = `{content: {application/json: {schema: ${schema}}}}`;
  return [
    'openapi: 3.1.0',
    'info: {title: T, version: "1"}',
    'servers: [{url: "https://a.b"}]',
    `paths: {/a: {get: {responses: {200: ${response}}}}}`,
  ].join('\n');
}

test.each<[schema: string, want: unknown, told: string[]]>([
  ['{enum: [1, .inf]}', {}, ['unfit-number /enum']],
  ['{enum: [.nan]}', {}, ['unfit-number /enum']],
  ['{const: .nan}', {}, ['unfit-number /const']],
  ['{type: number, default: .inf}', { type: 'number' }, ['unfit-number /default']],
  ['{type: object, default: {a: .inf}}', { type: 'object' }, ['unfit-number /default']],
  ['{type: number, maximum: .inf}', { type: 'number' }, ['invalid-keyword /maximum']],
  ['{type: number, multipleOf: .inf}', { type: 'number' }, ['invalid-keyword /multipleOf']],
  ['{type: string, maxLength: .inf}', { type: 'string' }, ['invalid-keyword /maxLength']],
  ['{xml: 5}', {}, ['invalid-keyword /xml']],
  ['{xml: {name: a, wrapped: 1}}', { xml: { name: 'a' } }, ['invalid-keyword /xml']],
])('a value that its keyword has not: %s', async (schema, want, lines) => {
  const { model, told } = await read(yaml(schema));
  expect(told).toEqual(lines.map((line) => `warning ${line.replace(' ', ` ${schemaAt}`)}`));
  expect(model && firstOperation(model).responses[0]?.content[0]?.schema).toEqual(want);
});

const ODD = '9007199254740993';

test.each<[schema: string, want: unknown, told: string[]]>([
  [`{type: integer, enum: [1, ${ODD}]}`, { type: 'integer' }, ['warning unfit-number /enum']],
  [`{const: {a: [${ODD}]}}`, {}, ['warning unfit-number /const']],
  [`{type: integer, default: ${ODD}}`, { type: 'integer' }, ['warning unfit-number /default']],
  [
    '{type: integer, minimum: -9223372036854775808, maximum: 9223372036854775807}',
    { type: 'integer', minimum: -(2 ** 63), maximum: 2 ** 63 },
    [],
  ],
  ['{maximum: 1e+30}', { maximum: 1e30 }, []],
])('integers that a double may not hold: %s', async (schema, want, lines) => {
  const told = lines.map((line) => line.replace(/ (?=\/)/, ` ${schemaAt}`));
  for (const text of [yaml(schema), JSON.stringify(withSchema('HERE')).replace('"HERE"', asJson(schema))]) {
    const reading = await read(text);
    expect(reading.told).toEqual(told);
    expect(reading.model && firstOperation(reading.model).responses[0]?.content[0]?.schema).toEqual(want);
  }
});

function asJson(flow: string): string {
  return flow.replace(/[a-z]\w*/gi, (word) => (/^e$/.test(word) ? word : `"${word}"`));
}

test.each<[schema: string, want: unknown, name: string]>([
  [
    '{type: string, enum: [1.0, 1.10, 2e3]}',
    { type: 'string', enum: ['1.0', '1.10', '2e3'] },
    'value-of-other-type',
  ],
  ['{type: string, default: 1.10}', { type: 'string', default: '1.10' }, 'value-of-other-type'],
  [
    '{type: string, enum: [9007199254740993]}',
    { type: 'string', enum: ['9007199254740993'] },
    'value-of-other-type',
  ],
  ['{type: string, const: 9007199254740993}', { type: 'string' }, 'unfit-number'],
])('text that was written as a number: %s', async (schema, want, name) => {
  const { model, told } = await read(yaml(schema));
  expect(model && firstOperation(model).responses[0]?.content[0]?.schema).toEqual(want);
  expect(told.map((line) => line.split(' ')[1])).toEqual([name]);
});

test('1e999 in JSON is unfit-number, and no example', async () => {
  const schema = JSON.stringify(withSchema({ default: 'HERE' })).replace('"HERE"', '1e999');
  expect((await read(schema)).told).toEqual([`warning unfit-number ${schemaAt}/default`]);
  const parameter = { name: 'q', in: 'query', schema: { type: 'number' }, example: 'HERE' };
  const model = await modelOf(
    JSON.stringify(withOperation({ parameters: [parameter] })).replace('"HERE"', '1e999'),
  );
  expect(firstOperation(model).parameters[0]?.schema).toEqual({ type: 'number' });
});

test.each<[schema: object, kept: unknown, fate: string | undefined]>([
  [
    { type: 'string', default: 1 },
    '1',
    'The default 1 is not of the type string that its schema requires. It is read as "1".',
  ],
  [{ type: 'integer', default: '10' }, 10, 'read as 10'],
  [{ type: 'integer', default: '1.5' }, undefined, 'left out'],
  [{ type: 'integer', default: 1.5 }, undefined, 'left out'],
  [{ type: 'boolean', default: 'true' }, true, 'read as true'],
  [{ type: 'boolean', default: 'yes' }, undefined, 'left out'],
  [{ type: 'array', items: {}, default: 'a' }, undefined, 'left out'],
  [{ type: 'object', default: [] }, undefined, 'left out'],
  [{ type: ['string', 'null'], default: {} }, undefined, 'not of the type string or null'],
  [{ type: 'string', nullable: true, default: null }, undefined, undefined],
  [{ type: 'number', default: 1 }, 1, undefined],
  [{ default: 'a' }, 'a', undefined],
])('the default of %j', async (schema, kept, fate) => {
  const { model, found, told } = await read(withSchema(schema));
  expect(told).toEqual(fate === undefined ? [] : [`warning value-of-other-type ${schemaAt}/default`]);
  expect(found[0]?.message ?? '').toContain(fate ?? '');
  const converted = model && firstOperation(model).responses[0]?.content[0]?.schema;
  expect(typeof converted === 'object' ? converted.default : undefined).toEqual(kept);
});

const rest = 'servers: [{url: "https://a.b"}]\npaths: {/a: {get: {}}}\n';

test.each<[what: string, text: string, version: string]>([
  ['a block', `openapi: 3.1.0\ninfo:\n  title: T\n  version: 1.10\n${rest}`, '1.10'],
  ['a comment behind it', `openapi: 3.1.0\ninfo: # I\n\n# C\n  version: 1.0 # C\n  title: T\n${rest}`, '1.0'],
  ['a flow mapping', `openapi: 3.1.0\n"info": {title: T,\n  version: 1.10}\n${rest}`, '1.10'],
  [
    'a look-alike',
    `openapi: 3.1.0\ninfo:\n  description: |\n    version: 1.1\n  version: 1.10\n  title: T\n${rest}`,
    '1.10',
  ],
  ['JSON', '{"openapi":"3.1.0","info":{"title":"T","version":1.10},"paths":{"/a":{"get":{}}}}', '1.10'],
  ['a hexadecimal number', `openapi: 3.1.0\ninfo: {title: T, version: 0x10}\n${rest}`, '0x10'],
])('an unquoted version keeps its digits: %s', async (_what, text, version) => {
  const cwd = folderOf({ 'api.yaml': text });
  expect((await readSource('api.yaml', { cwd })).model?.info.version).toBe(version);
});

test.each<[url: unknown, kept: string | undefined, found: string]>([
  ['https://example.com/docs', 'https://example.com/docs', ''],
  ['docs/index.html', undefined, '"docs/index.html"'],
  ['example.com', undefined, '"example.com"'],
  ['https://', undefined, '"https://"'],
  ['javascript:alert(1)', undefined, '"javascript:alert(1)"'],
  ['', undefined, '""'],
  [5, undefined, 'a number'],
  [null, undefined, ''],
])('externalDocs.url %j', async (url, kept, found) => {
  const reading = await read(withOperation({}, { externalDocs: { url } }));
  expect(reading.model?.info.documentationUrl).toBe(kept);
  expect(reading.told).toEqual(found === '' ? [] : ['warning invalid-piece /externalDocs/url']);
  if (found !== '')
    expect(reading.found[0]?.message).toContain(`an absolute URL with http or https, but it is ${found}.`);
});

test('an enum member that is a number to YAML: the warning says what it is read as', async () => {
  const { found, model } = await read(yaml('{type: string, enum: [0x1F, 0123]}'));
  expect(found).toMatchObject([
    {
      message: 'The enum member 31 is not of the type string that its schema requires. It is read as "0x1F".',
      hint: 'Correct the value or the type. Quote numbers and booleans if the type is string.',
    },
  ]);
  expect(model && firstOperation(model).responses[0]?.content[0]?.schema).toMatchObject({
    enum: ['0x1F', '0123'],
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameArguments, type Placed } from '../../../src/derive/arguments/argument-schema.ts';
import type { MediaType, Operation } from '../../../src/model/source-model.ts';
import type { Json, JsonSchema, JsonSchemaObject } from '../../../src/util/json-schema.ts';
import {
  body,
  derive,
  deriveTool,
  jsonBody,
  media,
  operation,
  parameter,
  response,
  source,
} from '../support.ts';

/** `query:id` */
function placed(text: string): Placed {
  const [place = '', name = ''] = text.split(/:(.*)/s);
  if (place === 'path' || place === 'query' || place === 'header' || place === 'cookie' || place === 'body') {
    return { in: place, name };
  }
  throw new Error(`no place: ${text}`);
}

test.each<[string, string[], string[]]>([
  ['no clash', ['path:id', 'query:limit'], ['id', 'limit']],
  ['cleaned', ['query:ids[]', 'query:$top', 'query:filter[name]'], ['ids', 'top', 'filter_name']],
  ['hostile', ['query:__proto__', 'query:constructor', 'query:`${x}`'], ['proto', 'constructor', 'x']],
  ['nothing left', ['query:🎉', 'header:[]'], ['value_6146299c', 'value_4f53cda1']],
  [
    'nothing left, wherever it stands',
    ['body:🎉', 'body:🎈', 'query:🎉'],
    ['value_6146299c_body', 'value_340ac0a3', 'value_6146299c_query'],
  ],
  ['some letters left', ['body:naïve', 'query:user-id'], ['naive', 'user-id']],
  [
    'the same letters left',
    ['body:事_id', 'body:是_id', 'body:id'],
    ['Shi_id_4a1cfb6a_body', 'Shi_id_111298c7_body', 'id'],
  ],
  [
    'every clashing one gets its place, but for that in the path',
    ['path:id', 'query:id', 'header:id', 'cookie:id', 'body:id'],
    ['id', 'id_query', 'id_header', 'id_cookie', 'id_body'],
  ],
  ['clash after cleaning', ['query:ids[]', 'body:ids'], ['ids_query', 'ids_body']],
  ['one place twice, by name', ['query:ids[]', 'query:ids'], ['ids_query_2', 'ids_query']],
  ['taken again', ['header:id', 'query:id', 'query:id_header'], ['id_header_2', 'id_query', 'id_header']],
  [
    'taken again, numbered by place, then name',
    ['body:a[]', 'body:a', 'query:a', 'query:a_body'],
    ['a_body_3', 'a_body_2', 'a_query', 'a_body'],
  ],
  ['a body beside a parameter called body', ['query:body', 'body:body'], ['body_query', 'body_body']],
  ['case counts', ['query:id', 'query:ID'], ['id', 'ID']],
])('%s: %j → %j', (_what, given, want) => {
  expect(nameArguments(given.map(placed)).map(({ argument }) => argument)).toEqual(want);
});

test('argument names are valid, unique and independent of order', () => {
  const item = fc.record({
    in: fc.constantFrom('path' as const, 'query' as const, 'header' as const, 'body' as const),
    name: fc.oneof(
      fc.constantFrom('id', 'id[]', 'id_path', 'id_query', '', '🎉', '__proto__'),
      fc.string({ maxLength: 90 }),
    ),
  });
  const items = fc.uniqueArray(item, {
    selector: ({ in: place, name }) => `${place}:${name}`,
    maxLength: 10,
  });
  fc.assert(
    fc.property(items, (list) => {
      const names = nameArguments(list).map(({ argument }) => argument);
      expect(new Set(names).size).toBe(list.length);
      for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
      const reversed = nameArguments(list.toReversed()).map(({ argument }) => argument);
      expect(reversed.toReversed()).toEqual(names);
    }),
  );
});

const long = `${'averylongname'.repeat(5)}_one`;

test.each<[string, string[], string[]]>([
  ['a letter that cannot stand in a name', ['ü'], ['argument-renamed']],
  ['a name that is too long', [long], ['argument-renamed']],
  ['names in other scripts', ['名前', '住所'], ['argument-renamed', 'argument-renamed']],
  ['separators', ['user-id'], []],
  ['what becomes the same', ['a[]', 'a()'], ['argument-renamed', 'argument-renamed']],
])('a clash is one of two: %s', (_what, names, want) => {
  const parameters = names.map((name) => parameter('query', name));
  expect(derive(source([operation('GET /x', { parameters })])).problems).toEqual(want);
});

test('another argument renames none whose letters cannot stand in a name', () => {
  const item = (name: string): Placed => ({ in: 'body', name });
  const [first] = nameArguments(['имя', '電話'].map(item));
  const all = nameArguments(['電話', '住所', 'имя', '名前'].map(item));
  expect(all[2]).toEqual(first);
});

test.each<[string, JsonSchema & object, string | undefined]>([
  ['名前', { type: 'string' }, 'Sent as "名前".'],
  ['naïve', { type: 'string', description: 'Whether.' }, 'Sent as "naïve". Whether.'],
  ['🎉', { deprecated: true }, 'Sent as "🎉". Deprecated.'],
  [long, {}, `Sent as "${long}".`],
  ['user-id', {}, undefined],
  ['ids[]', {}, undefined],
])('an argument whose name lost letters says what is sent: %s', (name, schema, want) => {
  const described = want === undefined ? schema : { ...schema, description: want };
  for (const given of [
    { parameters: [parameter('query', name, schema)] },
    { body: jsonBody({ type: 'object', properties: { [name]: schema } }) },
  ]) {
    const { inputSchema } = deriveTool(operation('POST /x', given));
    expect(Object.values(inputSchema.properties ?? {})).toEqual([described]);
  }
});

const empty = { const: '' };
test.each<[what: string, schema: JsonSchema, want: JsonSchema]>([
  ['text', { type: 'string' }, { type: 'string' }],
  ['an integer', { type: 'integer' }, { anyOf: [{ type: 'integer' }, empty] }],
  ['an enum', { enum: ['a'] }, { anyOf: [{ enum: ['a'] }, empty] }],
  ['an enum with the empty text', { enum: ['a', ''] }, { enum: ['a', ''] }],
  ['a length', { type: 'string', minLength: 1 }, { anyOf: [{ type: 'string', minLength: 1 }, empty] }],
  [
    'words stay at the top',
    { type: 'integer', description: 'D', default: 1 },
    { description: 'D', default: 1, anyOf: [{ type: 'integer' }, empty] },
  ],
  ['a reference', { $ref: '#/$defs/Size' }, { anyOf: [{ $ref: '#/$defs/Size' }, empty] }],
  ['a list is sent empty', { type: 'array' }, { type: 'array' }],
  [
    'a list that must not be',
    { type: 'array', minItems: 1 },
    { anyOf: [{ type: 'array', minItems: 1 }, empty] },
  ],
])('allowEmptyValue of %s', (_what, schema, want) => {
  const argument = (rest: object): unknown =>
    deriveTool(operation('GET /x', { parameters: [parameter('query', 'q', schema, rest)] }), {
      schemas: { Size: { type: 'integer' } },
    }).inputSchema.properties?.q;
  expect(argument({ allowEmptyValue: true })).toEqual(want);
  expect(argument({})).toEqual(schema);
  expect(argument({ allowEmptyValue: true, mediaType: 'text/plain' })).toEqual(schema);
});

const json = media('application/json', { type: 'object', properties: { a: {} } });
const form = media('application/x-www-form-urlencoded', { type: 'object', properties: { b: {} } });
const multipart = media('multipart/form-data', { type: 'object', properties: { c: {} } });
const text = media('text/plain', { type: 'string' });
const bytes = media('application/octet-stream', {});
const xml = media('application/xml', { type: 'object', xml: { name: 'x' }, properties: { d: {} } });

test.each([
  [[xml, bytes, text, multipart, form, json], 'application/json'],
  [[xml, bytes, text, multipart, form], 'application/x-www-form-urlencoded'],
  [[xml, bytes, text, multipart], 'multipart/form-data'],
  [[xml, bytes, text], 'text/plain'],
  [[xml, bytes], 'application/octet-stream'],
  [[xml], 'application/xml'],
])('media type of a body, case %#: %s', (content, want) => {
  const { model, problems } = derive(source([operation('POST /x', { body: body(content) })]));
  expect(model.tools[0]?.binding).toMatchObject({ body: { mediaType: want } });
  expect(problems).toEqual(content.length > 1 ? ['body-media-type-chosen'] : []);
});

const pictures: Record<string, JsonSchema> = {
  Encoded: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
  Binary: { type: 'string', format: 'binary' },
  Loop: { $ref: '#/$defs/Loop', description: 'x' },
};

test.each<[what: string, mediaType: string, schema: JsonSchema, kind: string]>([
  ['base64', 'image/png', { type: 'string', contentEncoding: 'base64' }, 'text'],
  ['base64 behind a reference', 'image/png', { $ref: '#/$defs/Encoded' }, 'text'],
  ['an encoding that encodes nothing', 'image/png', { type: 'string', contentEncoding: 'Binary' }, 'binary'],
  ['bytes', 'image/png', { $ref: '#/$defs/Binary' }, 'binary'],
  ['a circle', 'image/png', { $ref: '#/$defs/Loop' }, 'binary'],
])('a whole body of %s is sent as it is only when it is encoded', (_what, mediaType, schema, kind) => {
  const content = media(mediaType, schema, { kind: 'binary' });
  const { binding } = deriveTool(operation('PUT /x', { body: body([content]) }), { schemas: pictures });
  expect(binding).toMatchObject({ body: { mediaType, kind, argument: 'body' } });
});

test.each<[mediaType: string, schema: JsonSchema, kind: string]>([
  ['*/*', { contentMediaType: 'application/octet-stream' }, 'binary'],
  ['application/*', { type: 'string', contentMediaType: '*/*' }, 'binary'],
  ['*/*', { type: 'string', contentMediaType: 'application/json' }, 'json'],
  ['*/*', { $ref: '#/$defs/Encoded' }, 'json'],
  ['*/*', { type: 'string' }, 'json'],
  ['*/*', { type: 'array', items: { type: 'string', format: 'binary' } }, 'json'],
  ['application/json', { $ref: '#/$defs/Binary' }, 'binary'],
  ['application/json', { type: 'string', contentMediaType: 'image/png' }, 'json'],
])('a media type that says nothing leaves the kind to the schema: %s of %j', (mediaType, schema, kind) => {
  const content = media(mediaType, schema, { kind: 'json' });
  const { binding } = deriveTool(operation('PUT /x', { body: body([content]) }), { schemas: pictures });
  expect(binding).toMatchObject({ body: { mediaType, kind, argument: 'body' } });
});

const bin: JsonSchema = { type: 'string', format: 'binary', description: 'A file' };
const bytesWords = 'Base64, or data:image/png;name=a.png;base64,…';
const fileWords = `A file. ${bytesWords}`;
const file = { type: 'string', description: fileWords };
const toBin = { $ref: '#/$defs/Bin' };
const nothing: JsonSchema = { type: 'null' };
const pool: Record<string, JsonSchema> = {
  Any: {},
  Bin: bin,
  Opt: { anyOf: [bin, nothing] },
  Loop: { anyOf: [{ $ref: '#/$defs/Loop' }, nothing] },
};
const multipartOf = (schema: JsonSchema) =>
  derive(
    source([operation('POST /x', { body: body([media('multipart/form-data', schema)]) })], { schemas: pool }),
  );

test.each<[string, JsonSchema, unknown]>([
  ['items behind a reference', { type: 'array', items: toBin }, { type: 'array', items: file }],
  ['format: byte before 3.1', { type: 'string', contentEncoding: 'base64', description: 'A file' }, file],
  ['null beside it', { anyOf: [bin, nothing] }, { anyOf: [file, nothing] }],
  ['null beside it, behind a reference', { $ref: '#/$defs/Opt' }, { anyOf: [file, nothing] }],
  ['null in its types', { ...bin, type: ['string', 'null'] }, { ...file, type: ['string', 'null'] }],
  [
    'words around an allOf',
    { allOf: [toBin], description: 'A scan!' },
    { ...file, description: `A scan! ${bytesWords}` },
  ],
  [
    'one or several',
    { description: 'All', oneOf: [toBin, { type: 'array', items: toBin }] },
    { description: 'All', anyOf: [file, { type: 'array', items: file }] },
  ],
])('a file in multipart: %s', (_what, property, want) => {
  const { model, problems } = multipartOf({ type: 'object', properties: { file: property } });
  expect(model.tools[0]?.inputSchema.properties).toEqual({ file: want });
  expect(model.tools[0]?.binding).toMatchObject({ body: { properties: [{ name: 'file', binary: true }] } });
  expect(problems).toEqual([]);
});

const string: JsonSchema = { type: 'string' };
const anyBytes = { type: 'string', description: bytesWords };

test.each<[what: string, property: JsonSchema, want: unknown, contentType?: string]>([
  ['nothing said', {}, anyBytes],
  ['only words', { title: 'A scan', description: 'A file' }, file],
  ['items of it', { type: 'array', items: {} }, { type: 'array', items: anyBytes }],
  ['behind a reference', { $ref: '#/$defs/Any' }, anyBytes],
  ['or null', { anyOf: [{}, nothing] }, { anyOf: [anyBytes, nothing] }],
  ['declared to be bytes', {}, anyBytes, 'image/*'],
])('a part without a type is bytes since 3.1: %s', (_what, property, want, contentType) => {
  const { model, problems } = untypedParts(property, contentType);
  expect(model.tools[0]?.inputSchema.properties).toEqual({ a: want });
  expect(model.tools[0]?.binding).toMatchObject({ body: { properties: [{ name: 'a', binary: true }] } });
  expect(problems).toEqual([]);
});

test.each<[what: string, property: JsonSchema, contentType?: string]>([
  ['a type', string],
  ['a type beside a reference', { $ref: '#/$defs/Any', type: 'string' }],
  ['a type in the other part of an allOf', { allOf: [{ description: 'x' }, string] }],
  ['a type in the other branch', { anyOf: [{}, string] }],
  ['values', { enum: ['a', 'b'] }],
  ['text by its encoding', {}, 'text/plain'],
  ['JSON by its encoding', {}, 'application/json'],
])('other parts are no bytes: %s', (_what, property, contentType) => {
  const { model } = untypedParts(property, contentType);
  expect(model.tools[0]?.binding).toMatchObject({ body: { properties: [{ argument: 'a', name: 'a' }] } });
  expect(JSON.stringify(model.tools[0]?.binding)).not.toContain('binary');
});

test.each<[what: string, schema: JsonSchema, want: object[]]>([
  ['a referred body', { $ref: '#/$defs/Form' }, [{ argument: 'a', name: 'a', binary: true }]],
  ['an allOf', { allOf: [{ $ref: '#/$defs/Form' }] }, [{ argument: 'a', name: 'a', binary: true }]],
  [
    'required and not described',
    { type: 'object', properties: {}, required: ['a'] },
    [{ argument: 'a', name: 'a', mayBeFile: true }],
  ],
])('parts without a type: %s', (_what, schema, properties) => {
  const { binding } = deriveTool(operation('POST /x', { body: body([untyped(schema)]) }), {
    schemas: { ...pool, Form: { type: 'object', properties: { a: {} } } },
  });
  expect(binding).toMatchObject({ body: { properties } });
  expect(binding.kind === 'http' && binding.body?.properties).toEqual(properties);
});

function untyped(schema: JsonSchema, contentType?: string): MediaType {
  return media('multipart/form-data', schema, {
    untypedParts: 'bytes',
    ...(contentType === undefined ? {} : { encoding: { a: { contentType } } }),
  });
}

function untypedParts(property: JsonSchema, contentType?: string): ReturnType<typeof derive> {
  const content = untyped({ type: 'object', properties: { a: property } }, contentType);
  return derive(source([operation('POST /x', { body: body([content]) })], { schemas: pool }));
}

const inObject: JsonSchema = { type: 'object', properties: { b: toBin } };
const unsaid = 'A member that is a data: URI is sent as a file.';
const said = (names: string): string => `Bytes as base64 or as a data: URI: ${names}.`;

test.each<[string, JsonSchema, parts: object, description: string]>([
  ['anything', { type: 'object' }, {}, unsaid],
  ['anything, with words', { type: 'object', description: 'A form' }, {}, `A form. ${unsaid}`],
  ['text alone', { additionalProperties: string }, { otherParts: {} }, unsaid],
  ['files alone', { additionalProperties: bin }, { otherParts: { binary: true } }, unsaid],
  [
    'open to others',
    { properties: { a: bin, b: string }, additionalProperties: true },
    { parts: { a: { binary: true }, b: {} } },
    said('`a`'),
  ],
  [
    'branches behind references',
    {
      anyOf: [
        { $ref: '#/$defs/Form' },
        { allOf: [{ $ref: '#/$defs/Other' }, { properties: { d: string } }] },
      ],
    },
    { parts: { a: { binary: true }, b: {}, c: { binary: true }, d: {} } },
    said('`a`, `c`'),
  ],
  [
    'branches that differ',
    { oneOf: [{ properties: { a: bin } }, { properties: { a: string } }] },
    { parts: { a: { mayBeFile: true } } },
    unsaid,
  ],
  [
    'no type',
    { oneOf: [{ properties: { a: {}, b: true, c: { items: {} } } }] },
    { parts: { a: { mayBeFile: true }, b: { mayBeFile: true }, c: { mayBeFile: true } } },
    unsaid,
  ],
])('the parts of a multipart body that is one argument: %s', (_what, schema, parts, description) => {
  const content = media('multipart/form-data', schema);
  const { model, problems } = derive(
    source([operation('POST /x', { body: body([content]) })], {
      schemas: {
        ...pool,
        Form: { type: 'object', properties: { a: toBin, b: { type: 'integer' } } },
        Other: { properties: { c: { anyOf: [bin, nothing] } } },
      },
    }),
  );
  const [tool] = model.tools;
  const mediaType = 'multipart/form-data';
  expect(tool?.binding).toHaveProperty('body', {
    mediaType,
    kind: 'multipart',
    required: true,
    argument: 'body',
    ...parts,
  });
  expect(tool?.inputSchema.properties).toHaveProperty('body.description', description);
  expect(problems).toEqual([]);
});

test.each<[string, JsonSchema]>([
  ['a property', { type: 'object', properties: { a: inObject } }],
  ['a property of a branch', { oneOf: [{ properties: { a: inObject } }] }],
  ['a list', { type: 'object', properties: { a: { type: 'array', items: inObject } } }],
])('files inside of JSON are reported: %s', (_what, schema) => {
  const { model, problems } = multipartOf(schema);
  expect(problems).toEqual(['body-not-composed']);
  expect(JSON.stringify(model.tools[0]?.binding)).not.toContain('"binary":true');
});

test.each<[string, JsonSchema, string[]]>([
  ['application/x-www-form-urlencoded', { type: 'array', items: {} }, ['body-not-composed']],
  ['multipart/mixed', { type: 'array', items: bin }, []],
  ['multipart/mixed', { type: 'string' }, ['body-not-composed']],
  ['multipart/form-data', { anyOf: [{ type: 'array' }, { type: 'string' }] }, ['body-not-composed']],
  ['multipart/form-data', { $ref: '#/$defs/Loop' }, []],
  ['multipart/form-data', { anyOf: [{ type: 'array' }, { type: 'object' }] }, []],
  ['application/x-www-form-urlencoded', true, []],
  ['application/json', { type: 'array' }, []],
])('a form without fields is reported: %s of %j', (mediaType, schema, want) => {
  const given = operation('POST /x', { body: body([media(mediaType, schema)]) });
  expect(derive(source([given], { schemas: pool })).problems).toEqual(want);
});

const named = { encoding: { a: {} } };
const flat: JsonSchema = { type: 'object', properties: { a: string } };

test.each<[schema: JsonSchema, encodings: object, want: string[]]>([
  [flat, named, []],
  [
    flat,
    { encoding: { a: {}, b: {} } },
    ['`encoding.b` has no effect, since the body has no such property.'],
  ],
  [{ type: 'object', additionalProperties: string }, named, []],
])('encodings that have no part are told: %j, %j', (schema, encodings, want) => {
  const given = { ...media('multipart/mixed', schema), ...encodings };
  const { messages } = derive(source([operation('POST /x', { body: body([given]) })]));
  expect(messages).toEqual(want.map((text) => `${text} Remove it, or move it to where it applies.`));
});

const offering = (): Operation =>
  operation('POST /x', { operationId: 'sendX', body: body([xml, form, json]) });

const bodiless = (): Operation => operation('POST /x', { operationId: 'sendX' });

const choosing = (bodyMediaType: string) => ({ ...offering(), xMcp: { bodyMediaType } });

test.each<[what: string, given: Operation, fallback: string, mediaType: string, problems: string[]]>([
  ['nothing said', offering(), '', 'application/json', ['body-media-type-chosen']],
  ['the document', offering(), 'application/xml', 'application/xml', []],
  ['in other letters, with a parameter', offering(), 'Application/XML; charset=utf-8', 'application/xml', []],
  ['the document, not offered', offering(), 'text/csv', 'application/json', ['body-media-type-chosen']],
  ['the operation', choosing('application/xml'), 'application/json', 'application/xml', []],
  [
    'the operation, not offered',
    choosing('text/csv'),
    'application/xml',
    'application/json',
    ['body-media-type-not-offered', 'body-media-type-chosen'],
  ],
  ['no body', { ...bodiless(), xMcp: { bodyMediaType: 'text/csv' } }, 'text/csv', '', []],
])('the media type of a body is chosen by x-mcp: %s', (_what, given, bodyMediaType, mediaType, want) => {
  const { model, problems } = derive(source([given], { xMcp: { bodyMediaType } }));
  expect(problems).toEqual(want);
  const [tool] = model.tools;
  expect(tool?.binding.kind === 'http' ? (tool.binding.body?.mediaType ?? '') : undefined).toBe(mediaType);
});

test('what an optional body needs together is the binding’s to say, and the description’s', () => {
  const schema = { type: 'object', properties: { 'a b': {}, c: {}, d: {} }, required: ['a b', 'c'] } as const;
  const { inputSchema, binding, description } = deriveTool(
    operation('POST /x', {
      body: jsonBody({ ...schema, required: [...schema.required] }, { required: false }),
    }),
  );
  expect(inputSchema).not.toHaveProperty('required');
  expect(binding).toMatchObject({ body: { requiredTogether: ['a b', 'c'] } });
  expect(binding).not.toHaveProperty('body.required');
  expect(description).toContain('when any of it is given, a_b, c must be');
});

const tooLong = 'x'.repeat(299);
const oneOf: JsonSchema[] = [{ type: 'object' }, { type: 'array' }];

test.each<[string, JsonSchema, Json | undefined, JsonSchema]>([
  ['a short text', { type: 'string' }, 'abc', { type: 'string', examples: ['abc'] }],
  ['a number', { type: 'integer' }, 7, { type: 'integer', examples: [7] }],
  ['a rounded integer', { type: 'integer' }, 2 ** 60, { type: 'integer' }],
  ['an endless number', { type: 'number' }, Infinity, { type: 'number' }],
  [
    'that of its schema',
    { type: 'string', example: 'abc' },
    undefined,
    { type: 'string', examples: ['abc'] },
  ],
  ['its own first', { type: 'string', example: 'abc' }, 'own', { type: 'string', examples: ['own'] }],
  ['a long text', { type: 'string' }, tooLong, { type: 'string' }],
  ['no text', { type: 'string' }, '', { type: 'string' }],
  ['a list', { type: 'array' }, ['a'], { type: 'array', examples: [['a']] }],
  ['a list as it is sent', { type: 'array' }, 'a,b', { type: 'array' }],
  ['an object', { type: 'object' }, { a: 1 }, { type: 'object', examples: [{ a: 1 }] }],
  ['an object of alternatives', { oneOf }, { a: 1 }, { oneOf, examples: [{ a: 1 }] }],
  ['a boolean', { type: 'boolean' }, true, { type: 'boolean' }],
  ['what an enum says', { type: 'string', enum: ['a'] }, 'a', { type: 'string', enum: ['a'] }],
])('the example of a parameter is listed where it helps: %s', (_, schema, example, want) => {
  const given = parameter('query', 'q', schema, example === undefined ? {} : { example });
  expect(deriveTool(operation('GET /', { parameters: [given] })).inputSchema.properties).toEqual({ q: want });
});

test.each<[says: string, member: JsonSchemaObject, want: unknown]>([
  ['its own', { type: 'string', example: 'x' }, ['x']],
  ['two of several', { type: 'string', example: 'x', examples: ['x', 'y'] }, ['x', 'y']],
  ['none of another type', { type: 'integer', example: 'x' }, undefined],
  ['none that is long', { type: 'string', example: 'x'.repeat(301) }, undefined],
  ['none beside an enum', { enum: ['x', 'y'], example: 'x' }, undefined],
])('a member of an object in the body lists %s; answers list none', (_, member, want) => {
  const inner: JsonSchema = { type: 'object', properties: { a: member, b: { $ref: '#/$defs/B' } } };
  const schema: JsonSchema = { type: 'object', properties: { inner } };
  const responses = [response('200', 'application/json', schema)];
  const given = operation('POST /', { body: jsonBody(schema), responses });
  const { inputSchema, outputSchema } = deriveTool(given, { schemas: { B: member } });
  const listed = JSON.parse(JSON.stringify(inputSchema.properties?.['inner'])) as typeof inner;
  expect(listed.properties?.['a']).toEqual({ ...member, example: undefined, examples: want });
  expect(JSON.stringify(outputSchema)).not.toContain('example');
});

test.each<[what: string, path: string, schema: JsonSchema, want: string[]]>([
  ['its only value', '/?comp=list', { enum: ['list'] }, []],
  ['a constant', '/?v=2&comp=list', { const: 'list' }, []],
  ['several values', '/?comp=list', { enum: ['list', 'acl'] }, ['comp']],
  ['any value', '/?comp=list', { type: 'string' }, ['comp']],
  ['another value', '/?comp=list', { enum: ['acl'] }, ['comp']],
  ['no query', '/', { enum: ['list'] }, ['comp']],
])('a query parameter that the path holds, with %s', (_what, path, schema, want) => {
  const parameters = [parameter('query', 'comp', schema), parameter('header', 'list', { enum: ['list'] })];
  const given = operation(`GET ${path}`, { parameters });
  const tool = deriveTool(given, { schemas: { Comp: { enum: ['list'] } } });
  expect(Object.keys(tool.inputSchema.properties ?? {})).toEqual([...want, 'list']);
  expect(tool.binding).toMatchObject({ path });
});

test('a required query parameter that the path holds is optional, and one that it does not hold is required', () => {
  const required = { required: true };
  const parameters = ['comp', 'x'].map((name) => parameter('query', name, { type: 'string' }, required));
  const tool = deriveTool(operation('GET /?comp=list', { parameters }), {});
  expect(tool.inputSchema.required).toEqual(['x']);
});

const Many: JsonSchema = { oneOf: [{ type: 'object', properties: { a: {} } }] };

test.each<[string, Partial<Parameters<typeof media>[2]>, JsonSchema, unknown]>([
  [
    'the properties of a flat body',
    { example: { a: ['x'], b: 1 }, secondExample: { a: ['y'] } },
    { type: 'object', properties: { a: { type: 'array' }, b: { type: 'integer' } } },
    { a: { type: 'array', examples: [['x'], ['y']] }, b: { type: 'integer', examples: [1] } },
  ],
  [
    'the schema of a flat body',
    {},
    { type: 'object', properties: { a: { type: 'string' } }, example: { a: 'x' } },
    { a: { type: 'string', examples: ['x'] } },
  ],
  [
    'the schema of a property',
    {},
    { type: 'object', properties: { a: { type: 'array', example: ['x'] } } },
    { a: { type: 'array', examples: [['x']] } },
  ],
  [
    'a whole body, in place of a reference',
    { example: { a: 1 }, secondExample: { a: 2 } },
    { $ref: '#/$defs/Many' },
    { body: { ...Many, examples: [{ a: 1 }, { a: 2 }] } },
  ],
  ['the same twice', { example: [1], secondExample: [1] }, { type: 'array' }, { body: { examples: [[1]] } }],
])('the examples of a body are listed: %s', (_, examples, schema, want) => {
  const given = body([media('application/json', schema, examples)]);
  const tool = deriveTool(operation('POST /', { body: given }), { schemas: { Many } });
  expect(tool.inputSchema.properties).toMatchObject(want as object);
});

import fc from 'fast-check';

/** Made in years that RFC 3339 can say. */
const moments = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const base64 = fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const bytesClasses = ['Uint8Array', 'Buffer', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView'];

/** A codec, with JSON that it reads: as `[codec, json]`. */
const scalars = fc.oneof(
  moments.map((text) => [{ kind: 'date' }, text]),
  moments.map((text) => [{ kind: 'date', form: 'date' }, text.slice(0, 10)]),
  fc.tuple(fc.constantFrom(...bytesClasses), base64).map(([as, text]) => [{ kind: 'bytes', as }, text]),
  fc.maxSafeInteger().map((number) => [{ kind: 'bigint' }, number]),
  fc.webUrl().map((url) => [{ kind: 'url' }, new URL(url).href]),
  fc.constantFrom('a+', '/a+/i', '^\\d$', '/[/]/gu').map((text) => [{ kind: 'regexp' }, text]),
  fc
    .array(fc.integer({ min: -128, max: 127 }), { maxLength: 4 })
    .map((list) => [{ kind: 'numbers', as: 'Int8Array' }, list]),
);

const names = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', '');

const { pair } = fc.letrec((tie) => ({
  pair: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalars,
    fc
      .array(tie('pair'), { maxLength: 3 })
      .map((parts) => [
        { kind: 'tuple', items: parts.map(([codec]) => codec) },
        parts.map(([, json]) => json),
      ]),
    fc
      .tuple(tie('pair'), fc.nat({ max: 3 }))
      .map(([[items, json], count]) => [{ kind: 'array', items }, Array.from({ length: count }, () => json)]),
    // Bytes are told apart by what they are, so that none of them is lost.
    fc.array(base64, { maxLength: 3 }).map((list) => [{ kind: 'set', items: { kind: 'bytes' } }, list]),
    fc.uniqueArray(fc.tuple(names, tie('pair')), { maxLength: 3, selector: ([name]) => name }).map(objectOf),
    fc
      .uniqueArray(fc.tuple(fc.integer(), moments), { maxLength: 3, selector: ([key]) => key })
      .map((entries) => [{ kind: 'map', form: 'entries', value: { kind: 'date' } }, entries]),
    fc
      .uniqueArray(fc.tuple(names, moments), { maxLength: 3, selector: ([name]) => name })
      .map((entries) => [{ kind: 'map', form: 'object', value: { kind: 'date' } }, members(entries)]),
    fc.tuple(scalars, fc.nat({ max: 2 })).map(([[codec, json], which]) => unionOf(codec, json, which)),
  ),
}));

/** As `JSON.parse` makes it: `__proto__` is a member like others. */
function members(entries) {
  return JSON.parse(
    `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`,
  );
}

function objectOf(entries) {
  const properties = entries.map(([name, [codec]]) => [name, codec]);
  return [
    { kind: 'object', properties: members(properties) },
    members(entries.map(([name, [, json]]) => [name, json])),
  ];
}

/** A union of objects with a discriminator; `which` names the alternative of the value. */
function unionOf(codec, json, which) {
  const branches = ['x', 'y', 'z'].map((tag, at) => ({
    types: ['object'],
    required: ['kind'],
    tag: { name: 'kind', values: [tag] },
    codec: { kind: 'object', properties: at === which ? { value: codec } : {} },
  }));
  return [
    { kind: 'union', branches },
    { kind: ['x', 'y', 'z'][which], value: json },
  ];
}

/** A decoded argument, written as a result, gives the JSON that it came in, and nothing else changes. */
export async function codecs(load) {
  const { decode } = await load('templates/runtime/features/functions/decode');
  const { toJson } = await load('templates/runtime/features/functions/encode');
  const text = (value) =>
    JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part));
  return fc.property(pair, ([codec, json]) => {
    const before = text(json);
    const value = decode(json, codec);
    const after = text(toJson(value, codec));
    if (after !== before) throw new Error(`${before} came back as ${after}, by ${text(codec)}`);
    if (text(json) !== before) throw new Error(`the argument was changed: ${text(json)}`);
    if ({}.polluted !== undefined || Object.hasOwn(Object.prototype, 'a')) throw new Error('polluted');
  });
}

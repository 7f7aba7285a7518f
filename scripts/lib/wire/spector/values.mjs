/** Reads values back from what a scenario expects on the wire. */

/** Follows `$ref`, and the first alternative, down to a schema with a type. */
export function plainSchema(schema, root) {
  let found = schema ?? {};
  for (let depth = 0; depth < 16; depth++) {
    const next = step(found, root);
    if (next === undefined) return found;
    found = next;
  }
  return found;
}

function step(schema, root) {
  if (schema.$ref !== undefined) return root.$defs?.[decodeURIComponent(schema.$ref.split('/').pop())] ?? {};
  if (schema.type !== undefined) return undefined;
  return schema.anyOf?.[0] ?? schema.oneOf?.[0] ?? schema.allOf?.[0];
}

/** `schema`: plain; `value`: text, or what is a list or an object already; `separator`: of the items of a list. */
export function readValue(schema, value, separator, root) {
  const type = typeOf(schema);
  if (type === 'array') {
    const items = plainSchema(schema.items, root);
    return (Array.isArray(value) ? value : String(value).split(separator)).map((item) =>
      readScalar(items, item),
    );
  }
  if (type === 'object')
    return typeof value === 'object' ? value : readObject(String(value).split(separator));
  return readScalar(schema, Array.isArray(value) ? value[0] : value);
}

/** `a=1`, `b=2`, or `a`, `1`, `b`, `2`. */
function readObject(pieces) {
  const pairs = pieces[0].includes('=')
    ? pieces.map((piece) => piece.split('='))
    : pieces.flatMap((piece, at) => (at % 2 === 0 ? [[piece, pieces[at + 1]]] : []));
  return Object.fromEntries(pairs.map(([name, text]) => [name, numberWhereOne(text)]));
}

export function numberWhereOne(text) {
  return Number.isNaN(Number(text)) ? text : Number(text);
}

export function typeOf(schema) {
  return [schema.type].flat()[0];
}

function readScalar(schema, value) {
  const type = typeOf(schema) ?? typeof (schema.const ?? schema.enum?.[0]);
  if (type === 'integer' || type === 'number') return Number(value);
  if (type === 'boolean') return value === true || value === 'true';
  return String(value);
}

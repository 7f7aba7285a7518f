/** Turns what a scenario expects on the wire into the arguments of the tool. */
import { numberWhereOne, plainSchema, readValue, typeOf } from './values.mjs';
import { readXml } from './xml.mjs';

const separators = { spaceDelimited: ' ', pipeDelimited: '|' };

/** `pathValues`: encoded; `schema`: the tool's input schema, as listed. */
export function argumentsOf(request, { binding }, pathValues, schema) {
  const args = {};
  for (const parameter of binding.parameters) {
    const own = plainSchema(schema.properties[parameter.argument], schema);
    const value = readers[parameter.in]({ parameter, request, pathValues, own, root: schema, binding });
    const given = value ?? fixedValue(schema, parameter.argument, own);
    if (given !== undefined) args[parameter.argument] = given;
  }
  return { ...args, ...bodyArguments(request, binding.body, schema) };
}

/** A required parameter that has one value only, and that the scenario takes for granted. */
function fixedValue(schema, argument, own) {
  return schema.required?.includes(argument) ? (own.const ?? own.enum?.[0]) : undefined;
}

const readers = {
  path({ parameter, pathValues, own, root }) {
    const text = decodeURIComponent(pathValues[parameter.name]);
    if (parameter.style === 'label') return readValue(own, text.replace(/^\./, ''), /[,.]/, root);
    if (parameter.style === 'matrix') return readMatrix(own, text, root);
    return readValue(own, text, ',', root);
  },

  query({ parameter, request: { query }, own, root, binding }) {
    const value = query[parameter.name];
    if (value !== undefined) return readValue(own, value, separators[parameter.style] ?? ',', root);
    return typeOf(own) === 'object' ? restOf(query, binding.parameters) : undefined;
  },

  header({ parameter, request: { headers }, own, root }) {
    const name = parameter.name.toLowerCase();
    const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
    return value === undefined ? undefined : readValue(own, value, ',', root);
  },

  cookie({ request: { headers } }) {
    return /=(.*)/.exec(headers.cookie ?? '')?.[1];
  },
};

/** `;a=1;b=2`, `;param=a,b`, `;param=a;param=b` */
function readMatrix(schema, text, root) {
  const pieces = text.replace(/^;/, '').split(';');
  const values = pieces.map((piece) => piece.slice(piece.indexOf('=') + 1));
  if (typeOf(schema) === 'array')
    return readValue(
      schema,
      values.flatMap((value) => value.split(',')),
      ',',
      root,
    );
  return readValue(
    schema,
    typeOf(schema) === 'object' && pieces.length > 1 ? pieces.join(',') : values[0],
    ',',
    root,
  );
}

/** An exploded object: its properties stand among the parameters. */
function restOf(query, parameters) {
  const entries = Object.entries(query).filter(([name]) => !parameters.some((one) => one.name === name));
  return entries.length === 0
    ? undefined
    : Object.fromEntries(entries.map(([name, text]) => [name, numberWhereOne(text)]));
}

function bodyArguments(request, binding, schema) {
  if (request.body === undefined || binding === undefined) return {};
  const own = (argument) => plainSchema(schema.properties[argument], schema);
  const value = bodyOf(request, binding, own, schema);
  if (binding.argument !== undefined) return { [binding.argument]: value };
  const given = binding.properties.filter(({ name }) => value?.[name] !== undefined);
  return Object.fromEntries(given.map(({ argument, name }) => [argument, value[name]]));
}

/** The override table has values, the scenario has bytes. */
function bodyOf({ body, value, mediaType }, binding, own, root) {
  if (body.files !== undefined) return multipart(body, binding, own, root);
  if (value !== undefined) return value;
  if (binding.kind === 'binary')
    return mediaType === undefined ? body.base64 : `data:${mediaType};base64,${body.base64}`;
  const text = Buffer.from(body.base64, 'base64').toString('utf8');
  if (binding.xml !== undefined) {
    return readXml(
      text,
      binding.xml,
      binding.argument === undefined ? bodySchema(binding, root) : own(binding.argument),
      root,
    );
  }
  return binding.kind === 'json' ? JSON.parse(text) : text;
}

/** The object whose properties stand among the arguments. */
function bodySchema({ properties = [] }, root) {
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(({ argument, name }) => [name, root.properties[argument]])),
  };
}

function multipart({ parts, files }, { properties = [] }, own, root) {
  const schemaOf = (name) => {
    const argument = properties.find((property) => property.name === name)?.argument;
    return argument === undefined ? {} : own(argument);
  };
  const value = {};
  for (const [name, part] of Object.entries(parts))
    value[name] = typeof part === 'object' ? part : readValue(schemaOf(name), part, ',', root);
  for (const { property, filename, mediaType, base64 } of files) {
    const file = `data:${mediaType};name=${encodeURIComponent(filename)};base64,${base64}`;
    if (typeOf(schemaOf(property)) === 'array') (value[property] ??= []).push(file);
    else value[property] = file;
  }
  return value;
}

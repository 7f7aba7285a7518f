import type { BodyKind } from '../../../../templates/runtime/contract/bindings.ts';
import type { JsonSchema } from '../../../../templates/runtime/contract/json-schema.ts';
import { essence, isJson, isJsonLines } from '../../../../templates/runtime/contract/media-type.ts';

const textual = /^application\/(?:x-)?(?:ya?ml|javascript|sql|graphql|sh|toml)$/;
const bytes =
  /^(?:image|audio|video|font)\/|^application\/(?:octet-stream|pdf|zip|gzip|x-tar|x-gzip|vnd\.openxml|wasm)/;

/** The serialisation of a body. A wildcard is JSON unless the schema is bytes. */
export function bodyKindOf(mediaType: string, schema: JsonSchema): BodyKind {
  const type = essence(mediaType);
  if (type === '*/*' || type === 'application/*' || type === '') return isBytes(schema) ? 'binary' : 'json';
  if (isJson(type) || isJsonLines(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  if (/^(?:application|text)\/xml$|\+xml$/.test(type)) return 'xml';
  if (type.startsWith('text/') || textual.test(type)) return 'text';
  if (bytes.test(type)) return 'binary';
  // An object of an unknown application type can only be JSON.
  return isStructured(schema) ? 'json' : 'binary';
}

function isBytes(schema: JsonSchema): boolean {
  return typeof schema === 'object' && schema.format === 'binary';
}

function isStructured(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return false;
  const { type } = schema;
  if (type === 'object' || type === 'array') return true;
  return (
    type === undefined &&
    (schema.$ref !== undefined || schema.allOf !== undefined || schema.properties !== undefined)
  );
}

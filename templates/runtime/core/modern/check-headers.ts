// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Whether the headers of a request say what its body says ("Server Validation" of Streamable HTTP): proxies route by them. */
import { isRecord } from '../../contract/json-value.ts';
import { HEADER_MISMATCH, ProtocolError } from '../../protocol/protocol-error.ts';
import type { ClientRequest } from '../call.ts';
import type { ServerInstance } from '../server-instance.ts';
import { toolsOf } from '../tools/tool-entry.ts';
import type { JsonSchema } from '../../contract/json-schema.ts';

type Headers = (name: string) => string | undefined;

/** The parameter that `Mcp-Name` repeats, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** @throws {ProtocolError} `-32020` naming the header that is missing or says something else */
export function checkHeaders(
  { method, params }: ClientRequest,
  version: string,
  headers: Headers,
  server: ServerInstance,
): void {
  mustSay('MCP-Protocol-Version', version, headers('mcp-protocol-version'));
  mustSay('Mcp-Method', method, headers('mcp-method'));
  const named = Object.hasOwn(NAMED_BY, method) ? params[NAMED_BY[method] ?? ''] : undefined;
  if (typeof named === 'string') mustSay('Mcp-Name', named, readText('Mcp-Name', headers('mcp-name')));
  if (method === 'tools/call') checkMirroredArguments(params, headers, server);
}

function checkMirroredArguments(
  { name, arguments: args }: ClientRequest['params'],
  headers: Headers,
  server: ServerInstance,
): void {
  const tool = typeof name === 'string' ? toolsOf(server).get(name) : undefined;
  if (tool === undefined) return;
  for (const { header, path } of mirroredArguments(tool.listed.inputSchema)) {
    const given = readText(header, headers(header.toLowerCase()));
    const value = valueAt(args, path);
    if (typeof value === 'number') mustEqual(header, value, given);
    else mustSay(header, value === undefined || value === null ? undefined : String(value), given);
  }
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

function readText(header: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = headerText(value);
  if (text === undefined) throw mismatch(`The header \`${header}\` is not encoded as it must be.`);
  return text;
}

function mustSay(header: string, wanted: string | undefined, given: string | undefined): void {
  if (wanted === given) return;
  if (given === undefined) throw mismatch(`The header \`${header}\` is missing.`);
  throw mismatch(`The header \`${header}\` does not say what the body says.`);
}

/** Numbers are compared as numbers: `42.0` equals 42. */
function mustEqual(header: string, wanted: number, given: string | undefined): void {
  if (given !== undefined && /^-?\d+(?:\.\d+)?$/.test(given) && Number(given) === wanted) return;
  mustSay(header, String(wanted), given);
}

function mismatch(words: string): ProtocolError {
  return new ProtocolError(HEADER_MISMATCH, words, 'header');
}

/** Visible ASCII, blanks and tabs (RFC 9110, section 5.5, without what is obsolete). */
const PLAIN = /^[\t\u0020-\u007e]*$/;

/** Alphabet and padding of RFC 4648, section 4. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes a value of `Mcp-Name` or `Mcp-Param-*` ("Value Encoding"); undefined if it is not encoded as it must be. */
export function headerText(value: string): string | undefined {
  if (!PLAIN.test(value)) return undefined;
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : decodeBase64(encoded);
}

function decodeBase64(encoded: string): string | undefined {
  if (!BASE64.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  // Unused bits of the last character would let two headers encode one value.
  if (bytes.toString('base64') !== encoded) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export interface MirroredArgument {
  /** `Mcp-Param-Region` */
  header: string;
  /** Names of properties from the arguments on. */
  path: readonly string[];
}

/** Only what is reached through `properties` alone can be annotated. */
export function mirroredArguments(schema: JsonSchema): MirroredArgument[] {
  const known = isRecord(schema) ? found.get(schema) : undefined;
  if (known !== undefined) return known;
  const mirrored = [...walk(schema, [])];
  if (isRecord(schema)) found.set(schema, mirrored);
  return mirrored;
}

const found = new WeakMap<object, MirroredArgument[]>();

function* walk(schema: unknown, path: readonly string[]): Generator<MirroredArgument> {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  if (!isRecord(properties)) return;
  for (const [name, property] of Object.entries(properties)) {
    const header = isRecord(property) ? property['x-mcp-header'] : undefined;
    if (typeof header === 'string') yield { header: `Mcp-Param-${header}`, path: [...path, name] };
    yield* walk(property, [...path, name]);
  }
}

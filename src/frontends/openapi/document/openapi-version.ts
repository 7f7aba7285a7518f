import { isRecord, ownMember } from '../../../../templates/runtime/json-rpc.ts';
import { printValueOrQuotes } from './record.ts';

/** A later 3.x is read as 3.2. */
export type OpenApiVersion = '2.0' | '3.0' | '3.1' | '3.2';

export type VersionFinding =
  | { kind: 'known'; version: OpenApiVersion }
  | { kind: 'newer'; versionText: string; version: OpenApiVersion }
  | { kind: 'unsupported'; versionText: string }
  | { kind: 'other'; documentKind: string };

export function findDocumentVersion(document: unknown): VersionFinding {
  if (!isRecord(document)) return { kind: 'other', documentKind: describeScalar(document) };
  if ('openapi' in document) return classifyOpenApiVersion(formatVersion(document.openapi));
  if ('swagger' in document) return classifySwaggerVersion(formatVersion(document.swagger));
  if ('swaggerVersion' in document)
    return { kind: 'unsupported', versionText: `Swagger ${formatVersion(document.swaggerVersion)}` };
  return { kind: 'other', documentKind: describeRecord(document) };
}

/** The first patch of each minor version that joins by `,`. Later minor versions always do. */
const COMMA_SINCE: Readonly<Record<string, number>> = { '0': 4, '1': 1 };

/**
 * A label that isn't exploded is joined ("Style Examples") by `.` in 3.0.0–3.0.3 and 3.1.0, by `,` since. A version
 * without a patch is read as the newest.
 */
export function joinsLabelsByComma(document: unknown): boolean | undefined {
  if (!isRecord(document)) return undefined;
  const [release, minor = '', patch] = /^3\.(\d+)(?:\.(\d+))?/.exec(formatVersion(document.openapi)) ?? [];
  if (release === undefined) return undefined;
  return patch === undefined || Number(patch) >= (ownMember(COMMA_SINCE, minor) ?? 0);
}

function formatVersion(value: unknown): string {
  return typeof value === 'number' && Number.isInteger(value) ? `${value}.0` : printValueOrQuotes(value);
}

function classifyOpenApiVersion(versionText: string): VersionFinding {
  const minor = /^3\.(\d+)(?:[.-].*)?$/.exec(versionText)?.[1];
  switch (minor) {
    case undefined:
      return { kind: 'unsupported', versionText: `OpenAPI ${versionText}` };
    case '0':
    case '1':
    case '2':
      return { kind: 'known', version: `3.${minor}` };
    default:
      return { kind: 'newer', versionText, version: '3.2' };
  }
}

function classifySwaggerVersion(versionText: string): VersionFinding {
  if (/^2\.0(?:\.\d+)?$/.test(versionText)) return { kind: 'known', version: '2.0' };
  return /^3\./.test(versionText)
    ? classifyOpenApiVersion(versionText)
    : { kind: 'unsupported', versionText: `Swagger ${versionText}` };
}

function describeScalar(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value !== 'string') return `a single value (${printValueOrQuotes(value)})`;
  return /^\s*</.test(value) ? 'an HTML or XML page' : 'plain text';
}

/** Other formats that are mistaken for OpenAPI, each by a top-level key that only it has. */
const formats: readonly (readonly [key: string, found: string])[] = [
  ['asyncapi', 'an AsyncAPI document'],
  ['arazzo', 'an Arazzo document'],
  ['overlay', 'an OpenAPI Overlay'],
  ['$schema', 'a JSON Schema'],
  ['item', 'a Postman collection'],
];

function describeRecord(document: Record<string, unknown>): string {
  const format = formats.find(([key]) => Object.hasOwn(document, key));
  if (format !== undefined) return format[1];
  if (isRecord(document.paths)) return 'an OpenAPI document without its `openapi` member';
  const keys = Object.keys(document).slice(0, 3);
  return keys.length === 0
    ? 'an empty object'
    : `an object with ${keys.map((key) => JSON.stringify(key)).join(', ')}`;
}

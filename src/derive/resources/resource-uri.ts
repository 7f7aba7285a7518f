/** URIs of resources: a scheme named after the server, and the operation's path. */
import { wellFormed } from '../../model/well-formed.ts';

/** Schemes that clients already use. */
const taken = new Set(
  'about blob data file ftp git http https javascript mailto mcp sse ssh tel ui urn vbscript view-source ws wss'.split(
    ' ',
  ),
);

/** `petstore-mcp` → `petstore`, with a prefix `petstore-<prefix>`: always a valid scheme (RFC 3986, section 3.1). */
export function schemeOf(serverName: string, prefix = ''): string {
  const mark = prefix
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return mark === '' ? toScheme(serverName) : `${toScheme(serverName)}-${mark}`;
}

function toScheme(serverName: string): string {
  const base = serverName
    .toLowerCase()
    .replace(/^@[^/]*\//, '')
    .replace(/-mcp$/, '')
    .replace(/[^a-z0-9.+-]+/g, '-')
    .replace(/^[^a-z]+|[^a-z0-9]+$/g, '');
  if (base === '') return 'api';
  return taken.has(base) ? `${base}-api` : base;
}

/**
 * Makes a URI of the path, with `{expression(name)}` for each `{parameter}`. Undefined for a path with `.` or `..`
 * segments, which a URI parser would change.
 */
export function uriOf(
  scheme: string,
  path: string,
  expression: (name: string) => string,
): string | undefined {
  const segments = path.replace(/^\/+/, '').split('/');
  if (segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) return undefined;
  const written = segments.map((segment, index) => writeSegment(segment, index === 0, expression));
  return `${scheme}://${written.join('/')}`;
}

function writeSegment(segment: string, first: boolean, expression: (name: string) => string): string {
  return segment
    .split(/(\{[^{}]*\})/)
    .map((part, index) => (index % 2 === 1 ? `{${expression(part.slice(1, -1))}}` : literal(part, first)))
    .join('');
}

/** The first segment takes the place of a host, so `:` and `@` must not look like a port or a user. */
function literal(text: string, first: boolean): string {
  if (/^[A-Za-z0-9._~-]*$/.test(text)) return text;
  // `encodeURI` throws for half a surrogate pair.
  const encoded = encodeURI(wellFormed(text).replace(/%(?![0-9a-f]{2})/gi, '%25'))
    .replace(/%25(?=[0-9a-f]{2})/gi, '%')
    .replace(/[?#[\]'|^]/g, percent);
  return first ? encoded.replace(/[:@]/g, percent) : encoded;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

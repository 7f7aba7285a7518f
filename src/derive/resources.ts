/**
 * Derives resources and templates from GET operations, under the server's own URI scheme. An operation without
 * required inputs is a resource; path parameters make it a template whose `{?query}` holds the query parameters.
 * OpenAPI's path styles are RFC 6570's: `simple` is `{id}`, `label` `{.id}`, `matrix` `{;id}`.
 */
import type { ResourceBinding } from '../model/bindings.ts';
import { mediaTypeEssence, isSequentialType, toWellFormedText } from '../util/http-syntax.ts';
import type { Operation, Parameter } from '../model/source-model.ts';
import type { ToolArgument } from './arguments/argument-schema.ts';
import { type Primitive, derivePrimitive } from './arguments/primitive.ts';
import { successContent } from './body/success-response.ts';
import type { SchemaView } from './schema/schema-view.ts';
import { findFreeName } from '../util/free-name.ts';

export interface TemplateVariable {
  /** RFC 6570 `varname`. */
  name: string;
  argument: string;
  value: Primitive;
}

export interface ReadableShape {
  kind: 'resource' | 'template';
  /** A URI, or a URI template (RFC 6570). */
  uri: string;
  variables: TemplateVariable[];
  mimeType?: string;
}

/** The reason why an operation cannot be a resource, in words that follow "because". */
export interface NotReadable {
  because: string;
  /** The rules suggest a resource here, so it is reported that there is none. */
  isExpected?: boolean;
}

export function deriveReadableShape(
  operation: Operation,
  list: readonly ToolArgument[],
  scheme: string,
  view: SchemaView,
): ReadableShape | NotReadable {
  if (operation.method !== 'GET') return { because: 'only a GET can be read' };
  const first = successContent(operation).find(({ mediaType }) => !isSequentialType(mediaType));
  if (first === undefined) return { because: 'its success answer has no content' };
  const variables = deriveVariables(list, view);
  if ('because' in variables) return variables;
  // A wildcard has no information; the response's own media type is used instead.
  const type = mediaTypeEssence(first.mediaType);
  const mime = type.includes('*') || type === '' ? {} : { mimeType: type };
  const inPath = list.filter((argument) => argument.in === 'path');
  if (inPath.some(({ hidden }) => hidden === true)) return { because: 'a part of its path is hidden' };
  const passed: string[] = [];
  const writeVariableExpression = (parameter: string): string => {
    passed.push(parameter);
    const each = inPath.find(({ name }) => name === parameter);
    const variable = variables.list.find(({ argument }) => argument === each?.argument);
    return variable === undefined ? 'value' : templateExpression(variable, each?.parameter);
  };
  const base = makeResourceUri(scheme, operation.path, writeVariableExpression);
  if (base === undefined) return { because: 'its path has `.` segments', isExpected: true };
  // Empty or repeated braces, and variables with a slash, cannot be matched back.
  const once = new Set(passed);
  if (
    once.size !== passed.length ||
    once.size !== inPath.length ||
    !inPath.every(({ name }) => once.has(name))
  )
    return { because: 'its path has braces that a URI template cannot hold', isExpected: true };
  if (inPath.length === 0) return { kind: 'resource', uri: base, variables: [], ...mime };
  const query = variables.list.filter(({ argument }) => !inPath.some((each) => each.argument === argument));
  const names = query.map(({ name, value }) => (value.list ? `${name}*` : name));
  const uri = names.length === 0 ? base : `${base}{?${names.join(',')}}`;
  return { kind: 'template', uri, variables: variables.list, ...mime };
}

function templateExpression({ name, value }: TemplateVariable, parameter: Parameter | undefined): string {
  const { style, explode } = parameter ?? {};
  if (style !== 'label' && style !== 'matrix') return name;
  return `${style === 'label' ? '.' : ';'}${name}${value.list && explode === true ? '*' : ''}`;
}

function deriveVariables(
  list: readonly ToolArgument[],
  view: SchemaView,
): { list: TemplateVariable[] } | NotReadable {
  const hasPath = list.some((argument) => argument.in === 'path');
  const variables: TemplateVariable[] = [];
  for (const argument of list) {
    if (argument.hidden === true) continue;
    const value =
      (argument.in === 'path' || argument.in === 'query') && argument.parameter?.mediaType === undefined
        ? derivePrimitive(argument.schema, view)
        : undefined;
    const fits = value !== undefined && (argument.in === 'path' || hasPath);
    if (fits)
      variables.push({
        name: findFreeName(argument.argument.replace(/[^A-Za-z0-9_]+/g, '_'), (name) =>
          variables.some((variable) => variable.name === name),
        ),
        argument: argument.argument,
        value,
      });
    else if (argument.required)
      return {
        because: `a URI cannot carry its required ${argument.in} argument \`${argument.argument}\``,
        isExpected: hasPath,
      };
  }
  return { list: variables };
}

/** Binds the variables, and the schemas that decode their texts. */
export function bindResource(
  shape: ReadableShape,
  work: ResourceBinding['do'],
  { operation: { tags }, scopes }: { operation: Operation; scopes: string[] },
): ResourceBinding {
  const renamed = shape.variables.filter(({ name, argument }) => name !== argument);
  const typed = shape.variables.filter(({ value }) => value.type !== 'string' || value.list);
  return {
    do: work,
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(tags.length === 0 || work.kind === 'tool' ? {} : { tags }),
    ...(renamed.length === 0
      ? {}
      : { variables: Object.fromEntries(renamed.map(({ name, argument }) => [name, argument])) }),
    ...(typed.length === 0
      ? {}
      : {
          schemas: Object.fromEntries(
            typed.map(({ argument, value }) => [
              argument,
              value.list ? { type: 'array', items: { type: value.type } } : { type: value.type },
            ]),
          ),
        }),
  };
}

/** Schemes that clients already use. */
const takenSchemes = new Set(
  'about blob data file ftp git http https javascript mailto mcp skill sse ssh tel ui urn vbscript view-source ws wss'.split(
    ' ',
  ),
);

/** `petstore-mcp` → `petstore`, with a prefix `petstore-<prefix>`: always a valid scheme (RFC 3986, section 3.1). */
export function deriveUriScheme(serverName: string, prefix = ''): string {
  const mark = prefix
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return mark === '' ? schemeOfServerName(serverName) : `${schemeOfServerName(serverName)}-${mark}`;
}

function schemeOfServerName(serverName: string): string {
  const base = serverName
    .toLowerCase()
    .replace(/^@[^/]*\//, '')
    .replace(/-mcp$/, '')
    .replace(/[^a-z0-9.+-]+/g, '-')
    .replace(/^[^a-z]+|[^a-z0-9]+$/g, '');
  if (base === '') return 'api';
  return takenSchemes.has(base) ? `${base}-api` : base;
}

/**
 * Makes a URI of the path, with `{expression(name)}` for each `{parameter}`. Undefined for a path with `.` or `..`
 * segments, which a URI parser would change.
 */
function makeResourceUri(
  scheme: string,
  path: string,
  expression: (name: string) => string,
): string | undefined {
  const segments = path.replace(/^\/+/, '').split('/');
  if (segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) return undefined;
  const segmentTexts = segments.map((segment, index) => writeSegment(segment, index === 0, expression));
  return `${scheme}://${segmentTexts.join('/')}`;
}

function writeSegment(segment: string, first: boolean, expression: (name: string) => string): string {
  return segment
    .split(/(\{[^{}]*\})/)
    .map((part, index) =>
      index % 2 === 1 ? `{${expression(part.slice(1, -1))}}` : encodeLiteral(part, first),
    )
    .join('');
}

/** Encodes a segment. The first stands in the place of a host: `:` and `@` must not look like a port's. */
function encodeLiteral(text: string, first: boolean): string {
  if (/^[A-Za-z0-9._~-]*$/.test(text)) return text;
  // `encodeURI` throws for half a surrogate pair.
  const encoded = encodeURI(toWellFormedText(text).replace(/%(?![0-9a-f]{2})/gi, '%25'))
    .replace(/%25(?=[0-9a-f]{2})/gi, '%')
    .replace(/[?#[\]'|^]/g, percentEncode);
  return first ? encoded.replace(/[:@]/g, percentEncode) : encoded;
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** What of a model needs a feature. */
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import { isJsonLinesType, isJsonType, isMediaRange, isSequentialType, isText } from '../util/http-syntax.ts';
import { allowsOnlyNull } from '../util/json-schema.ts';
import { classifyPattern } from '../util/classify-pattern.ts';
import { type HttpBinding, listApis } from './bindings.ts';
import { listHttpBindingsOfModel } from './credential-origins.ts';
import type { ServerModel, Tool } from './server-model.ts';

export function hasApi(model: Pick<ServerModel, 'upstream' | 'upstreams'>): boolean {
  return listApis(model).length > 0;
}

/** Whether the user is asked before some tool runs. */
export function asksFirst(model: ServerModel): boolean {
  const functions = model.tools.flatMap(({ binding }) => (binding.kind === 'function' ? binding : []));
  return (
    model.confirm !== undefined ||
    [...listHttpBindings(model), ...functions].some(({ confirm }) => confirm !== undefined)
  );
}

/** Whether a workflow makes calls that its user confirms. */
export function hasConfirmedWorkflow({ tools }: ServerModel): boolean {
  return tools.some(
    ({ binding, annotations }) => binding.kind === 'steps' && annotations?.destructiveHint !== false,
  );
}

export function listHttpBindings(model: ServerModel): HttpBinding[] {
  const operations = Object.values(model.operations ?? {}).flatMap((ofSource) => Object.values(ofSource));
  return [...listHttpBindingsOfModel(model), ...operations.map((operation) => operation.do)];
}

/** Whether a request has what only `features/styles.ts` writes: other styles than `simple` and `form`, forms, and JSON lines. */
export function hasRareStyle({ parameters, body }: HttpBinding): boolean {
  const fields = [...parameters, ...Object.values(body?.encoding ?? {})];
  return (
    body?.kind === 'form' ||
    (body?.kind === 'json' && isJsonLinesType(body.mediaType)) ||
    parameters.some(
      ({ in: place, mediaType, separator }) =>
        place === 'querystring' || (mediaType ?? separator) !== undefined,
    ) ||
    fields.some(
      ({ style = 'form', allowReserved, allowEmptyValue }) =>
        !/^(?:simple|form)$/.test(style) || (allowReserved ?? allowEmptyValue) !== undefined,
    )
  );
}

export function hasXml({ body, parameters }: HttpBinding): boolean {
  return body?.kind === 'xml' || /"xml":\{/.test(JSON.stringify([body, parameters]));
}

export function hasAnswerRules({ result = {} }: HttpBinding): boolean {
  return (result.select ?? result.drop ?? result.fields) !== undefined;
}

export function hasTokenUrl(model: ServerModel): boolean {
  return listApis(model).some(({ securitySchemes }) =>
    Object.values(securitySchemes).some(
      (scheme) =>
        scheme.type === 'oauth2' && (scheme.tokenUrl !== undefined || scheme.metadataUrl !== undefined),
    ),
  );
}

export function hasClientCertificate(model: ServerModel): boolean {
  return listApis(model).some(({ securitySchemes }) =>
    Object.values(securitySchemes).some(({ type }) => type === 'mutualTLS'),
  );
}

export function mayCarryBytes({ body }: HttpBinding): boolean {
  return ['binary', 'multipart', 'text', 'xml'].includes(body?.kind ?? '') || body?.mayBeFile === true;
}

export function mayAnswerFile({ result }: HttpBinding): boolean {
  return (result?.accept ?? []).some(
    (type) => isMediaRange(type) || !(isJsonType(type) || isText(type) || isSequentialType(type)),
  );
}

/** A range fits too: an answer of any type may be a sequence. */
export function answersInSequences({ result }: HttpBinding): boolean {
  return (result?.accept ?? []).some((type) => isMediaRange(type) || isSequentialType(type));
}

/** The schemas are most of a model, and all files ask: walking them each time takes a fifth of Stripe's compilation. */
function onceForTools(judge: (model: ServerModel) => boolean): (model: ServerModel) => boolean {
  const answers = new WeakMap<ServerModel['tools'], boolean>();
  return (model) => {
    const answer = answers.get(model.tools) ?? judge(model);
    answers.set(model.tools, answer);
    return answer;
  };
}

export const hasAlternatives = onceForTools((model) =>
  containsSchema(model, ({ anyOf, oneOf }) =>
    [anyOf, oneOf].some(
      (branches) =>
        Array.isArray(branches) && branches.filter((branch) => !allowsOnlyNull(branch)).length > 1,
    ),
  ),
);

export const hasUnevaluated = onceForTools((model) =>
  containsSchema(
    model,
    ({ unevaluatedProperties, unevaluatedItems }) =>
      (unevaluatedProperties ?? unevaluatedItems) !== undefined,
  ),
);

/** Values that are no schemas are asked about, too: a feature too many does no harm. */
function containsSchema(
  { tools, prompts, codecs, operations }: ServerModel,
  test: (value: Record<string, unknown>) => boolean,
): boolean {
  const contains = (value: unknown): boolean =>
    Array.isArray(value)
      ? value.some(contains)
      : isRecord(value) && (test(value) || Object.values(value).some(contains));
  return contains([tools, prompts, codecs, operations]);
}

/** Whether a pattern is not proved to take linear time in the engine. */
export const hasGuardedPattern = onceForTools(({ tools, prompts, codecs, operations }) => {
  const schemas = tools.map(({ inputSchema, outputSchema, binding }) =>
    binding.kind === 'http' ? [inputSchema, outputSchema] : [inputSchema, outputSchema, binding],
  );
  const patterns = new Set<string>();
  collectPatterns([schemas, prompts, codecs, operations], patterns);
  return [...patterns].some((pattern) => classifyPattern(pattern) !== 'linear');
});

function collectPatterns(value: unknown, patterns: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const { pattern, patternProperties } = value as { pattern?: unknown; patternProperties?: unknown };
  if (typeof pattern === 'string') patterns.add(pattern);
  if (isRecord(patternProperties)) for (const source of Object.keys(patternProperties)) patterns.add(source);
  for (const member of Object.values(value)) collectPatterns(member, patterns);
}

/** Only members that `properties` alone lead to are repeated in headers. */
export function mirrorsArguments({ inputSchema }: Tool): boolean {
  const isMirrored = (schema: unknown): boolean =>
    isRecord(schema) &&
    (schema['x-mcp-header'] !== undefined || Object.values(schema['properties'] ?? {}).some(isMirrored));
  return isMirrored(inputSchema);
}

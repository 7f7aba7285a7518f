import {
  type HttpBinding,
  listApis,
  needsParameterWriters,
} from '../../templates/runtime/contract/bindings.ts';
import {
  isJsonType,
  isMediaRange,
  isSequentialType,
  isText,
} from '../../templates/runtime/contract/http-syntax.ts';
import { allowsOnlyNull } from '../../templates/runtime/contract/json-schema.ts';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { listUnprovenPatterns } from '../../templates/runtime/contract/patterns.ts';
import {
  type ApiNeed,
  FEATURES,
  type FeatureEntry,
  type FeatureNeed,
  type FeatureRow,
  type ListNeed,
} from '../../templates/runtime/features.ts';
import { isPlainTemplate } from '../../templates/runtime/contract/patterns.ts';
import { DEFAULT_FEATURES } from '../model/features.ts';
import { listHttpBindingsOfModel } from '../model/credential-origins.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import { hasCutSchema } from '../derive/listing-cost.ts';
import type { EmitOptions } from './emit-options.ts';

type Choice = Pick<EmitOptions, 'app' | 'auth' | 'features' | 'handlers' | 'ownedLoaders' | 'publish'>;

/** The rows that the model, publish targets, `features`, the user's own `src/server.ts` and these rows themselves need. */
export function chooseFeatures(model: ServerModel, options: Choice): FeatureRow[] {
  const { features = DEFAULT_FEATURES, ownedLoaders } = options;
  const isChosen = ({ name, neededBy = [], addedBy, entries }: FeatureRow): boolean =>
    entries.length === 0 ||
    entries.some(({ loader }) => ownedLoaders?.has(loader)) ||
    neededBy.some((need) => isFeatureNeeded(need, model, options)) ||
    (addedBy === undefined && features.includes(name));
  const chosen = FEATURES.filter(isChosen);
  const sources = new Set(chosen.map(({ name }) => name));
  const fitting = chosen.filter((feature) => feature.with === undefined || sources.has(feature.with));
  const names = new Set(fitting.flatMap(({ name, needs = [] }) => [name, ...needs]));
  return FEATURES.filter(({ name }) => names.has(name));
}

/** Lists features that `features` names, and that extend one which the project does not have. */
export function listIdleFeatures(model: ServerModel, options: Choice): FeatureRow[] {
  const chosen = chooseFeatures(model, options);
  const { features = [] } = options;
  return FEATURES.filter((row) => features.includes(row.name) && !chosen.includes(row));
}

export function chooseFeatureEntries(model: ServerModel, options: Choice): FeatureEntry[] {
  const features = chooseFeatures(model, options);
  const names = new Set(features.map(({ name }) => name));
  return features.flatMap(({ name, entries }) => {
    const isNamed = options.features?.includes(name) === true;
    const isEntryNeeded = ({ loader, neededBy }: FeatureEntry): boolean =>
      isNamed ||
      options.ownedLoaders?.has(loader) === true ||
      (neededBy?.some((need) => isFeatureNeeded(need, model, options)) ?? true);
    return entries.filter(
      (entry) => (entry.with === undefined || names.has(entry.with)) && isEntryNeeded(entry),
    );
  });
}

function isFeatureNeeded(
  need: FeatureNeed,
  model: ServerModel,
  { app, auth, handlers, publish, features = DEFAULT_FEATURES }: Choice,
): boolean {
  if ('surface' in need) return (model.surface ?? 'tools') !== 'tools' || hasCutSchema(model.tools);
  if ('skills' in need) return model.skills !== undefined;
  if ('lists' in need) return needsOfLists[need.lists](model, features);
  if ('auth' in need) return auth !== undefined;
  if ('confirm' in need) return model.confirm !== undefined;
  if ('api' in need) return needsOfApi[need.api](model, auth);
  if ('publish' in need) return publish?.some((target) => target === need.publish) === true;
  if ('binding' in need) return need.binding === 'http' ? hasApi(model) : app !== undefined;
  if ('taskSupport' in need)
    return model.tools.some(({ execution }) => (execution?.taskSupport ?? 'forbidden') !== 'forbidden');
  if ('handlers' in need) return need.handlers.some((key) => handlers?.keys.has(key));
  if ('code' in need && need.code.some((member) => handlers?.members.has(member))) return true;
  const identifiers = 'imports' in need ? [need.imports] : need.code;
  const files = 'imports' in need ? [app?.files, handlers?.files] : [app?.files];
  return files.some((code) => code !== undefined && containsAnyWord(code, identifiers));
}

function containsAnyWord(files: readonly { contents: string }[], identifiers: readonly string[]): boolean {
  const pattern = new RegExp(`\\b(?:${identifiers.join('|')})\\b`);
  return files.some(({ contents }) => pattern.test(contents));
}

type Check = (model: ServerModel, auth: EmitOptions['auth']) => boolean;

const needsOfApi: Record<ApiNeed, Check> = {
  parameters: (model) => listHttpBindings(model).some(needsParameterWriters),
  multipart: (model) => listHttpBindings(model).some(({ body }) => body?.kind === 'multipart'),
  'answer-members': (model) =>
    listHttpBindings(model).some(
      ({ result = {} }) => (result.select ?? result.drop ?? result.fields) !== undefined,
    ),
  xml: (model) => listHttpBindings(model).some(mayHoldXml),
  'client-credentials': (model) =>
    listApis(model).some(({ securitySchemes }) =>
      Object.values(securitySchemes).some(
        (scheme) =>
          scheme.type === 'oauth2' && (scheme.tokenUrl !== undefined || scheme.metadataUrl !== undefined),
      ),
    ),
  files: (model) =>
    listHttpBindings(model).some(
      (binding) =>
        binding.body?.kind === 'binary' ||
        binding.body?.kind === 'multipart' ||
        binding.body?.mayBeFile === true ||
        mayAnswerWith(
          binding,
          (type) => isMediaRange(type) || !(isJsonType(type) || isText(type) || isSequentialType(type)),
        ),
    ),
  sequences: (model) =>
    listHttpBindings(model).some((binding) =>
      mayAnswerWith(binding, (type) => isMediaRange(type) || isSequentialType(type)),
    ),
  exchange: (_, auth) => auth?.onBehalf !== undefined || auth?.exchange !== undefined,
  'client-certificates': (model) =>
    listApis(model).some(({ securitySchemes }) =>
      Object.values(securitySchemes).some(({ type }) => type === 'mutualTLS'),
    ),
};

export function listHttpBindings(model: ServerModel): HttpBinding[] {
  const operations = Object.values(model.operations ?? {}).flatMap((ofSource) => Object.values(ofSource));
  return [...listHttpBindingsOfModel(model), ...operations.map((operation) => operation.do)];
}

/** Properties of a form, and parameters that are forms, may be XML. */
function mayHoldXml({ body, parameters }: HttpBinding): boolean {
  const isForm = body?.encoding !== undefined || parameters.some(({ encoding }) => encoding !== undefined);
  return body?.kind === 'xml' || isForm;
}

/** A range fits both: an answer of any type may be bytes or a sequence. */
function mayAnswerWith({ result }: HttpBinding, isSuch: (mediaType: string) => boolean): boolean {
  return (result?.accept ?? []).some(isSuch);
}

const needsOfLists: Record<ListNeed, (model: ServerModel, features: readonly string[]) => boolean> = {
  patterns: (model, features) =>
    findSchemaTraits(model).hasRarePattern || (features.includes('mock') && hasRarePatternInMocks(model)),
  alternatives: (model) => findSchemaTraits(model).hasAlternatives,
  'uri-templates': ({ resourceTemplates }) =>
    !resourceTemplates.every(({ uriTemplate }) => isPlainTemplate(uriTemplate)),
};

interface SchemaTraits {
  hasRarePattern: boolean;
  hasAlternatives: boolean;
}

/** The schemas are most of a model, and all files ask: walking them each time takes a fifth of Stripe's compilation. */
const traitsByTools = new WeakMap<readonly Tool[], SchemaTraits>();

function findSchemaTraits({ tools, prompts, codecs, operations }: ServerModel): SchemaTraits {
  const schemas = tools.map(({ inputSchema, outputSchema, binding }) =>
    binding.kind === 'http' ? [inputSchema, outputSchema] : [inputSchema, outputSchema, binding],
  );
  const traits = traitsByTools.get(tools) ?? {
    hasRarePattern: containsRarePattern([schemas, prompts, codecs, operations]),
    hasAlternatives: containsAlternatives([tools, prompts, codecs, operations]),
  };
  traitsByTools.set(tools, traits);
  return traits;
}

function containsAlternatives(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(containsAlternatives);
  if (!isRecord(value)) return false;
  const isUnclear = [value['anyOf'], value['oneOf']].some(
    (branches) => Array.isArray(branches) && branches.filter((branch) => !allowsOnlyNull(branch)).length > 1,
  );
  return isUnclear || Object.values(value).some(containsAlternatives);
}

function hasRarePatternInMocks({ mock, mocks }: ServerModel): boolean {
  const answers = [mock, ...Object.values(mocks ?? {})].flatMap((mockData) =>
    Object.values(mockData?.schemas ?? {}),
  );
  const texts = answers.filter((text) => /"pattern(?:Properties)?":/.test(text));
  return containsRarePattern(texts.map((text): unknown => JSON.parse(text)));
}

function containsRarePattern(schemas: unknown): boolean {
  return listUnprovenPatterns(schemas).next().done === false;
}

export function hasApi(model: Pick<ServerModel, 'upstream' | 'upstreams'>): boolean {
  return listApis(model).length > 0;
}

import type { LoginBinding, SecurityRequirement } from '../../../model/bindings.ts';
import { isHttpToken } from '../../../util/http-syntax.ts';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import type { DocumentOrigin } from '../../../model/origin.ts';
import type { SecurityScheme } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { type ReadContext, listArrayItems, resolveRecordNode } from '../read-context.ts';
import {
  type RecordNode,
  type SourceNode,
  keyOrigin,
  listMemberNodes,
  memberNode,
  nodeOrigin,
} from '../reference/source-node.ts';
import { setOwnMember, readCleanText } from './record.ts';

type SecuritySchemes = Record<string, SecurityScheme>;

export function readSecuritySchemes(context: ReadContext, node: RecordNode | undefined): SecuritySchemes {
  const schemes: SecuritySchemes = {};
  for (const [name, member] of listMemberNodes(node)) {
    if (name.startsWith('x-')) continue;
    const scheme = readSecurityScheme(context, member, name);
    if (scheme !== undefined) setOwnMember(schemes, name, scheme);
  }
  return schemes;
}

export function usesAuthorizationHeader(scheme: SecurityScheme): boolean {
  if (scheme.type === 'apiKey')
    return scheme.in === 'header' && scheme.name.toLowerCase() === 'authorization';
  return scheme.type !== 'mutualTLS';
}

export class SecurityReader {
  readonly schemes: SecuritySchemes;
  readonly #context: ReadContext;
  /** Names of all declared schemes, also unusable ones: only other names are reported as unknown. */
  readonly #declared: ReadonlySet<string>;
  readonly #unknown = new Set<string>();

  constructor(context: ReadContext, schemes: SecuritySchemes, declared: ReadonlySet<string>) {
    this.#context = context;
    this.schemes = schemes;
    this.#declared = declared;
  }

  /** Reads the requirements. Undefined if there are none; `[]` removes those of the document. */
  readRequirements(owner: RecordNode): SecurityRequirement[] | undefined {
    const node = memberNode(owner, 'security');
    if (node.value === undefined) return undefined;
    return listArrayItems(this.#context, node, '`security`')
      .map((requirement) => this.#readRequirement(requirement))
      .filter((requirement) => requirement !== undefined);
  }

  #readRequirement(node: SourceNode): SecurityRequirement | undefined {
    const alternative = resolveRecordNode(this.#context, node, 'A security requirement');
    if (alternative === undefined) return undefined;
    const requirement: SecurityRequirement = {};
    for (const [key, scheme] of listMemberNodes(alternative)) {
      const name = this.#resolveSchemeName(key, scheme);
      if (name === undefined) continue;
      const scopes = Array.isArray(scheme.value) ? scheme.value : [];
      setOwnMember(
        requirement,
        name,
        scopes.filter((scope): scope is string => typeof scope === 'string'),
      );
    }
    // An alternative that became empty would mean "no security", and be preferred to the others.
    const emptied = Object.keys(requirement).length === 0 && Object.keys(alternative.value).length > 0;
    return emptied ? undefined : requirement;
  }

  #resolveSchemeName(key: string, at: SourceNode): string | undefined {
    if (Object.hasOwn(this.schemes, key)) return key;
    if (!this.#declared.has(key) && !this.#unknown.has(key))
      this.#context.report('invalid-security-scheme', { unknownName: key }, { at: nodeOrigin(at) });
    this.#unknown.add(key);
    return undefined;
  }
}

function readSecurityScheme(
  context: ReadContext,
  node: SourceNode,
  name: string,
): SecurityScheme | undefined {
  const scheme = resolveRecordNode(context, node, `The security scheme ${name}`);
  if (scheme === undefined) return undefined;
  const reportProblem = (text: string): undefined => {
    context.report('invalid-security-scheme', { name, problem: text }, { at: nodeOrigin(node) });
  };
  const common = {
    origin: nodeOrigin(scheme),
    ...omitUndefined({ description: readCleanText(scheme.value.description) }),
  };

  const { type } = scheme.value;
  switch (type) {
    case 'apiKey':
      return readApiKey(scheme, common, reportProblem);
    case 'basic': // Swagger 2.0
      return { ...common, type: 'http', scheme: 'basic' };
    case 'http': {
      const { scheme: name } = scheme.value;
      // The document's format has no flows there, so its author names them.
      const { login } = readLogin(scheme);
      if (name === 'bearer' && login !== undefined) return { ...common, type: 'oauth2', scopes: {}, login };
      return typeof name === 'string' && isHttpToken(name)
        ? { ...common, type: 'http', scheme: name }
        : reportProblem('it names no HTTP authentication scheme, such as `scheme: bearer`');
    }
    case 'oauth2':
      return readOAuth2(context, scheme, common);
    case 'openIdConnect': {
      const { openIdConnectUrl: url } = scheme.value;
      return typeof url === 'string'
        ? { ...common, type: 'openIdConnect', url, ...readLogin(scheme) }
        : reportProblem('it has no openIdConnectUrl');
    }
    case 'mutualTLS':
      return { ...common, type: 'mutualTLS' };
    default:
      return reportProblem(
        type === undefined ? 'it has no type' : `${JSON.stringify(type)} is no type of scheme`,
      );
  }
}

interface Common {
  origin: DocumentOrigin;
  description?: string;
}

type Problem = (text: string) => undefined;

function readApiKey({ value }: RecordNode, common: Common, problem: Problem): SecurityScheme | undefined {
  const { name, in: place } = value;
  if (typeof name !== 'string' || name === '') return problem('it does not say the name of the key');
  if (place !== 'query' && place !== 'header' && place !== 'cookie')
    return problem('`in` has to be query, header or cookie');
  if (place !== 'query' && !isHttpToken(name))
    return problem(`${JSON.stringify(name)} cannot be the name of a ${place}`);
  return { ...common, type: 'apiKey', in: place, name };
}

function readOAuth2(context: ReadContext, scheme: RecordNode, common: Common): SecurityScheme {
  const scopes: Record<string, string> = {};
  const { oauth2MetadataUrl: metadata } = scheme.value;
  const metadataUrl = typeof metadata === 'string' ? metadata : undefined;
  let tokenUrl: string | undefined;
  let login: LoginBinding = {};
  for (const [flow, node] of listOAuthFlows(context, scheme)) {
    const { tokenUrl: url, scopes: offered } = node.value;
    if ((flow === 'clientCredentials' || flow === 'application') && typeof url === 'string') tokenUrl = url;
    if (LOGIN_FLOWS.has(flow)) {
      const fields = pickTexts(node.value, LOGIN_FIELDS);
      const { tokenUrl: first = fields.tokenUrl } = login;
      // A code counts at the token endpoint of its own flow.
      if ((fields.tokenUrl ?? first) === first) login = { ...login, ...fields };
      else
        context.report(
          'field-without-effect',
          { field: `flows.${flow}`, because: `people sign in at ${first}, which another flow names` },
          { at: keyOrigin(node) },
        );
    }
    if (!isRecord(offered)) continue;
    for (const [scope, description] of Object.entries(offered)) {
      if (!scope.startsWith('x-') || scheme.document.version !== '2.0')
        setOwnMember(scopes, scope, readCleanText(description) ?? '');
    }
  }
  const ofAuthor = readLogin(scheme, login);
  return { ...common, type: 'oauth2', ...omitUndefined({ tokenUrl, metadataUrl }), scopes, ...ofAuthor };
}

/** `accessCode`: Swagger 2.0. */
const LOGIN_FLOWS: ReadonlySet<string> = new Set(['authorizationCode', 'accessCode', 'deviceAuthorization']);
const LOGIN_FIELDS = ['authorizationUrl', 'deviceAuthorizationUrl', 'tokenUrl'] as const;

/** `x-mcp.login` completes what the flows say. */
function readLogin({ value }: RecordNode, flows: LoginBinding = {}): { login?: LoginBinding } {
  const { login: rule } = isRecord(value['x-mcp']) ? value['x-mcp'] : {};
  const names = [...LOGIN_FIELDS, 'metadataUrl', 'issuer', 'resource'] as const;
  const login = { ...flows, ...(isRecord(rule) && pickTexts(rule, names)) };
  return Object.keys(login).length === 0 ? {} : { login };
}

function pickTexts(record: Record<string, unknown>, names: readonly (keyof LoginBinding)[]): LoginBinding {
  return Object.fromEntries(
    names.map((name) => [name, record[name]]).filter(([, text]) => typeof text === 'string'),
  );
}

const flowNames = [
  'implicit',
  'password',
  'clientCredentials',
  'authorizationCode',
  'deviceAuthorization',
] as const;

/** In Swagger 2.0 the scheme itself is a flow. */
function listOAuthFlows(context: ReadContext, scheme: RecordNode): [string, RecordNode][] {
  if (typeof scheme.value.flow === 'string') return [[scheme.value.flow, scheme]];
  const flows = resolveRecordNode(context, memberNode(scheme, 'flows'), '`flows`');
  return listMemberNodes(flows).flatMap(([name, node]): [string, RecordNode][] => {
    if (name.startsWith('x-')) return [];
    if (!flowNames.some((flowName) => flowName === name)) {
      const because = `it is none of ${flowNames.join(', ')}`;
      context.report('field-without-effect', { field: `flows.${name}`, because }, { at: keyOrigin(node) });
      return [];
    }
    const flow = resolveRecordNode(context, node, `The flow ${name}`);
    return flow === undefined ? [] : [[name, flow]];
  });
}

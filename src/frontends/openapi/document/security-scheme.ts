import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import { isHttpToken } from '../../../../templates/runtime/contract/token-syntax.ts';
import type { SecurityScheme } from '../../../model/source-model.ts';
import type { DocumentOrigin } from '../../../model/origin.ts';
import { type ReadContext, readRecord } from '../read-context.ts';
import {
  type RecordNode,
  type SourceNode,
  keyOriginOf,
  memberOf,
  originOf,
} from '../reference/source-node.ts';
import { definedMembers } from '../../../util/defined-members.ts';
import { setOwn } from './record.ts';
import { wordsOf } from './text.ts';

export function readSecurityScheme(
  context: ReadContext,
  node: SourceNode,
  name: string,
): SecurityScheme | undefined {
  const scheme = readRecord(context, node, `The security scheme ${name}`);
  if (scheme === undefined) return undefined;
  if (scheme.value.deprecated === true)
    context.report('deprecated-security-scheme', { name }, { at: originOf(node) });
  const problem = (text: string): undefined => {
    context.report('invalid-security-scheme', { name, problem: text }, { at: originOf(node) });
  };
  const common = {
    origin: originOf(scheme),
    ...definedMembers({ description: wordsOf(scheme.value.description) }),
  };
  return byType(context, scheme, common, problem);
}

interface Common {
  origin: DocumentOrigin;
  description?: string;
}

type Problem = (text: string) => undefined;

function byType(
  context: ReadContext,
  scheme: RecordNode,
  common: Common,
  problem: Problem,
): SecurityScheme | undefined {
  const { type } = scheme.value;
  switch (type) {
    case 'apiKey':
      return apiKey(scheme, common, problem);
    case 'basic': // Swagger 2.0
      return { ...common, type: 'http', scheme: 'basic' };
    case 'http': {
      const { scheme: name } = scheme.value;
      return typeof name === 'string' && isHttpToken(name)
        ? { ...common, type: 'http', scheme: name }
        : problem('it names no HTTP authentication scheme, such as `scheme: bearer`');
    }
    case 'oauth2':
      return oauth2(context, scheme, common);
    case 'openIdConnect': {
      const { openIdConnectUrl: url } = scheme.value;
      return typeof url === 'string'
        ? { ...common, type: 'openIdConnect', url: absoluteUrl(url, scheme.document.base) }
        : problem('it has no openIdConnectUrl');
    }
    case 'mutualTLS':
      return { ...common, type: 'mutualTLS' };
    default:
      return problem(type === undefined ? 'it has no type' : `${JSON.stringify(type)} is no type of scheme`);
  }
}

function apiKey({ value }: RecordNode, common: Common, problem: Problem): SecurityScheme | undefined {
  const { name, in: place } = value;
  if (typeof name !== 'string' || name === '') return problem('it does not say the name of the key');
  if (place !== 'query' && place !== 'header' && place !== 'cookie')
    return problem('`in` has to be query, header or cookie');
  if (place !== 'query' && !isHttpToken(name))
    return problem(`${JSON.stringify(name)} cannot be the name of a ${place}`);
  return { ...common, type: 'apiKey', in: place, name };
}

function oauth2(context: ReadContext, scheme: RecordNode, common: Common): SecurityScheme {
  const scopes: Record<string, string> = {};
  const { oauth2MetadataUrl: metadata } = scheme.value;
  const metadataUrl = typeof metadata === 'string' ? absoluteUrl(metadata, scheme.document.base) : undefined;
  let tokenUrl: string | undefined;
  for (const [flow, node] of readFlows(context, scheme)) {
    const { tokenUrl: url, scopes: offered } = node.value;
    if ((flow === 'clientCredentials' || flow === 'application') && typeof url === 'string')
      tokenUrl = absoluteUrl(url, node.document.base);
    if (!isRecord(offered)) continue;
    for (const [scope, words] of Object.entries(offered)) {
      if (!scope.startsWith('x-') || scheme.document.version !== '2.0')
        setOwn(scopes, scope, wordsOf(words) ?? '');
    }
  }
  return { ...common, type: 'oauth2', ...definedMembers({ tokenUrl, metadataUrl }), scopes };
}

const flowNames = [
  'implicit',
  'password',
  'clientCredentials',
  'authorizationCode',
  'deviceAuthorization',
] as const;

/** In Swagger 2.0 the scheme itself is a flow. */
function readFlows(context: ReadContext, scheme: RecordNode): [string, RecordNode][] {
  if (typeof scheme.value.flow === 'string') return [[scheme.value.flow, scheme]];
  const flows = readRecord(context, memberOf(scheme, 'flows'), '`flows`');
  if (flows === undefined) return [];
  const names = Object.keys(flows.value).filter((name) => !name.startsWith('x-'));
  return names.flatMap((name): [string, RecordNode][] => {
    if (!flowNames.some((known) => known === name)) {
      const because = `it is none of ${flowNames.join(', ')}`;
      const at = keyOriginOf(memberOf(flows, name));
      context.report('field-without-effect', { field: `flows.${name}`, because }, { at });
      return [];
    }
    const flow = readRecord(context, memberOf(flows, name), `The flow ${name}`);
    return flow === undefined ? [] : [[name, flow]];
  });
}

/** URLs may be relative to a document that was loaded from a URL. */
function absoluteUrl(url: string, base: string): string {
  if (!/^https?:/.test(base) || !URL.canParse(url, base)) return url;
  const from = new URL(base);
  // The credentials that fetched the document must not reach the emitted project.
  from.username = '';
  from.password = '';
  return new URL(url, from).href;
}

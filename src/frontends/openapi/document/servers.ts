import type { ServerBinding } from '../../../model/bindings.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { type ReadContext, listArrayItems, resolveRecordNode } from '../read-context.ts';
import {
  type RecordNode,
  type SourceNode,
  listItemNodes,
  memberNode,
  nodeOrigin,
} from '../reference/source-node.ts';
import { readAsWritten } from './document-value.ts';
import { type Rec, setOwnMember, readCleanText } from './record.ts';
import { hostOf } from '../../../../templates/runtime/features/operation-servers.ts';
import { serverChoiceVariableName } from '../../../model/variable-names.ts';

/** The servers of an operation or path. If none is valid the first is kept: calls are refused, not sent to another host. */
export function readServers(context: ReadContext, owner: RecordNode): ServerBinding[] | undefined {
  const servers = listServers(context, owner);
  const valid = servers.filter(({ isValid }) => isValid);
  const list = (valid.length > 0 ? valid : servers.slice(0, 1)).map(({ server }) => server);
  return list.length === 0 ? undefined : list;
}

interface ReadServer {
  server: ServerBinding;
  isValid: boolean;
}

function listServers(context: ReadContext, owner: RecordNode): ReadServer[] {
  return listArrayItems(context, memberNode(owner, 'servers'), '`servers`')
    .map((node) => readServer(context, node))
    .filter((server) => server !== undefined);
}

function readServer(context: ReadContext, node: SourceNode): ReadServer | undefined {
  const server = resolveRecordNode(context, node, 'A server');
  if (server === undefined) return undefined;
  const { url } = server.value;
  if (typeof url !== 'string' || url.trim() === '') {
    context.report('invalid-server', { problem: 'it has no `url`' }, { at: nodeOrigin(server) });
    return undefined;
  }
  const absolute = resolveServerUrl(url.trim(), server.document.base);
  const problem = findProblem(absolute);
  if (problem !== undefined) {
    context.report('invalid-server', { problem: `${url} ${problem}` }, { at: nodeOrigin(server) });
    return { server: { url: absolute }, isValid: false };
  }
  const { name, description } = server.value;
  return {
    isValid: true,
    server: {
      url: absolute,
      ...omitUndefined({
        name: readFirstLine(name),
        description: readFirstLine(description),
        variables: readVariables(context, server, absolute),
      }),
    },
  };
}

function findProblem(url: string): string | undefined {
  if (/^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(url)) return 'is neither http nor https';
  return mayHaveHost(url) ? undefined : 'has no valid host';
}

/** Any variable may be a host, a port or a path. `URL` would take the first segment of `https:///v1` for the host. */
function mayHaveHost(url: string): boolean {
  if (!/^https?:/i.test(url)) return true;
  return (
    /^https?:(?:\/\/)?[^/?#\\]/i.test(url) &&
    hostOf({ url: url.replaceAll(/\{[^{}]*\}/g, '{1}') }) !== undefined
  );
}

/** Descriptions may be pages of Markdown. */
function readFirstLine(text: unknown): string | undefined {
  return readCleanText(text)?.split('\n', 1)[0];
}

/** The URL is kept as text, since `URL` would encode the braces of variables. */
function resolveServerUrl(url: string, base: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\{)/i.test(url) || !/^https?:/.test(base)) return url;
  const { origin, protocol } = new URL(base);
  if (url.startsWith('//')) return `${protocol}${url}`;
  if (url.startsWith('/')) return `${origin}${url}`;
  return new URL(url, base).href.replaceAll('%7B', '{').replaceAll('%7D', '}');
}

function readVariables(context: ReadContext, server: RecordNode, url: string): ServerBinding['variables'] {
  const names = [...url.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return undefined;
  const declared = resolveRecordNode(context, memberNode(server, 'variables'), '`variables` of a server');
  const variables: NonNullable<ServerBinding['variables']> = {};
  for (const name of names) {
    const node =
      declared && resolveRecordNode(context, memberNode(declared, name), `The server variable ${name}`);
    const defaultValue = node && readScalarText(memberNode(node, 'default'));
    // An empty text may stand for what each user has to fill in.
    const fallback =
      defaultValue === '' && !mayHaveHost(url.replaceAll(`{${name}}`, '')) ? undefined : defaultValue;
    if (fallback === undefined) {
      const at = nodeOrigin(node ?? server);
      context.report(
        'server-variable-without-default',
        { name, url, variable: serverChoiceVariableName(name) },
        { at },
      );
    }
    const choices = node === undefined ? [] : listItemNodes(memberNode(node, 'enum'));
    const values = choices.map(readScalarText).filter((value) => value !== undefined);
    setOwnMember(variables, name, {
      ...omitUndefined({ default: fallback ?? values[0] }),
      ...(values.length === 0 ? {} : { enum: values }),
    });
  }
  return variables;
}

/** A number is read as written: `1.0` names another path than `1`. */
function readScalarText(node: SourceNode): string | undefined {
  const text = readAsWritten(node);
  return typeof text === 'string' ? text : undefined;
}

/** A document from a URL without servers describes an API at that URL. Of an invalid server the path is left (`https://<instance>/api`). */
export function readRootServers(context: ReadContext, root: RecordNode): ServerBinding[] {
  const { base } = context.entry;
  const servers = listServers(context, root);
  const valid = servers.filter(({ isValid }) => isValid).map(({ server }) => server);
  if (valid.length > 0) return valid;
  if (/^https?:/.test(base)) return [{ url: new URL(base).origin }];
  const [, path = ''] = /^https?:\/\/[^/?#]*(\/[^?#{}]*)/i.exec(servers[0]?.server.url ?? '') ?? [];
  return /[^/]/.test(path) ? [{ url: path }] : [];
}

/** https comes first, since the first server gets the credentials. */
export function swaggerServers({ host, basePath, schemes }: Rec, base: string): ServerBinding[] {
  const from = /^https?:/.test(base) ? new URL(base) : undefined;
  const path = typeof basePath === 'string' ? `/${basePath.replace(/^\/+/, '')}` : '';
  // Documents sometimes hold a whole URL in `host`.
  const name =
    typeof host === 'string' && host.trim() !== ''
      ? host
          .trim()
          .replace(/^[a-z]+:\/\//i, '')
          .replace(/\/+$/, '')
      : from?.host;
  const tail = path.replace(/\/$/, '');
  if (name === undefined) return tail === '' ? [] : [{ url: tail }];
  return chooseSchemes(schemes, from).map((scheme) => ({ url: `${scheme}://${name}${tail}` }));
}

function chooseSchemes(schemes: unknown, from: URL | undefined): string[] {
  const schemeList = Array.isArray(schemes) ? schemes : [];
  const usable = ['https', 'http'].filter((scheme) => schemeList.includes(scheme));
  return usable.length > 0 ? usable : [from === undefined ? 'https' : from.protocol.replace(':', '')];
}

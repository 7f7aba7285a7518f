import type { ServerBinding } from '../../../../templates/runtime/contract/bindings.ts';
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
import { readServerHost } from '../../../../templates/runtime/upstream/upstream-settings.ts';
import { serverChoiceVariableName } from '../../../../templates/runtime/contract/feature.ts';

export function readServers(context: ReadContext, owner: RecordNode): ServerBinding[] | undefined {
  const servers = listArrayItems(context, memberNode(owner, 'servers'), '`servers`')
    .map((node) => readServer(context, node))
    .filter((server) => server !== undefined);
  return servers.length === 0 ? undefined : servers;
}

function readServer(context: ReadContext, node: SourceNode): ServerBinding | undefined {
  const server = resolveRecordNode(context, node, 'A server');
  if (server === undefined) return undefined;
  const { url } = server.value;
  if (typeof url !== 'string' || url.trim() === '') {
    context.report('invalid-server', { problem: 'it has no `url`' }, { at: nodeOrigin(server) });
    return undefined;
  }
  const absolute = resolveServerUrl(url.trim(), server.document.base);
  if (/^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(absolute)) {
    const problem = `${url} is neither http nor https`;
    context.report('invalid-server', { problem }, { at: nodeOrigin(server) });
    return undefined;
  }
  if (!mayHaveHost(absolute)) {
    const problem = `${url} has no valid host`;
    context.report('invalid-server', { problem }, { at: nodeOrigin(server) });
    return undefined;
  }
  const { name, description } = server.value;
  return {
    url: absolute,
    ...omitUndefined({
      name: readFirstLine(name),
      description: readFirstLine(description),
      variables: readVariables(context, server, absolute),
    }),
  };
}

/** Any variable may be a host, a port or a path. `URL` would take the first segment of `https:///v1` for the host. */
function mayHaveHost(url: string): boolean {
  if (!/^https?:/i.test(url)) return true;
  return (
    /^https?:(?:\/\/)?[^/?#\\]/i.test(url) &&
    readServerHost({ url: url.replaceAll(/\{[^{}]*\}/g, '{1}') }) !== undefined
  );
}

/** Descriptions may be pages of Markdown. */
function readFirstLine(text: unknown): string | undefined {
  return readCleanText(text)?.split('\n', 1)[0];
}

/** The URL is kept as text, since `URL` would encode the braces of variables. */
function resolveServerUrl(url: string, base: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\{)/i.test(url) || !/^https?:/.test(base)) return url;
  const { origin, protocol, pathname } = new URL(base);
  if (url.startsWith('//')) return `${protocol}${url}`;
  if (url.startsWith('/')) return `${origin}${url}`;
  const folder = pathname.slice(0, pathname.lastIndexOf('/') + 1);
  return `${origin}${resolveDots(`${folder}${url}`)}`;
}

function resolveDots(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.') segments.push(segment);
  }
  const text = segments.join('/');
  return text.startsWith('/') ? text : `/${text}`;
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

/** A document from a URL without servers describes an API at that URL. */
export function readRootServers(context: ReadContext, root: RecordNode): ServerBinding[] {
  const { base } = context.entry;
  return readServers(context, root) ?? (/^https?:/.test(base) ? [{ url: new URL(base).origin }] : []);
}

/** https comes first, since the first server gets the credentials. */
export function swaggerServers({ host, basePath, schemes }: Rec, base: string): ServerBinding[] {
  const from = /^https?:/.test(base) ? new URL(base) : undefined;
  const path = typeof basePath === 'string' ? `/${basePath.replace(/^\/+/, '')}` : '';
  const name = typeof host === 'string' && host.trim() !== '' ? cleanHost(host) : from?.host;
  const tail = path.replace(/\/$/, '');
  if (name === undefined) return tail === '' ? [] : [{ url: tail }];
  return chooseSchemes(schemes, from).map((scheme) => ({ url: `${scheme}://${name}${tail}` }));
}

/** Documents sometimes hold a whole URL in `host`. */
function cleanHost(host: string): string {
  return host
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/\/+$/, '');
}

function chooseSchemes(schemes: unknown, from: URL | undefined): string[] {
  const schemeList = Array.isArray(schemes) ? schemes : [];
  const usable = ['https', 'http'].filter((scheme) => schemeList.includes(scheme));
  return usable.length > 0 ? usable : [from === undefined ? 'https' : from.protocol.replace(':', '')];
}

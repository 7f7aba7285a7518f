import { isHttpToken } from '../../../util/http-syntax.ts';
import { nearest } from '../../../../templates/runtime/validate.ts';
import type { DocumentOrigin } from '../../../model/origin.ts';
import { type ReadContext, resolveRecordNode } from '../read-context.ts';
import {
  type RecordNode,
  type SourceNode,
  isRecordNode,
  listMemberNodes,
  memberNode,
  nodeOrigin,
} from '../reference/source-node.ts';

interface PathEntry {
  path: string;
  /**
   * The Path Item with references followed. Fields beside `$ref` are a second layer, maybe of another file, and win.
   */
  layers: RecordNode[];
}

export interface OperationEntry extends PathEntry {
  method: string;
  operation: RecordNode;
}

/** `x-ms-paths` (Azure) holds paths whose keys tell operations apart by their queries. */
export function readPathEntries(context: ReadContext, root: RecordNode): PathEntry[] {
  const paths = readPathsMember(context, root, 'paths');
  if (root.value['x-ms-paths'] === undefined) return paths;
  const pathNames = new Set(paths.map(({ path }) => path));
  return [...paths, ...readPathsMember(context, root, 'x-ms-paths', pathNames)];
}

function readPathsMember(
  context: ReadContext,
  root: RecordNode,
  member: 'paths' | 'x-ms-paths',
  declaredPaths?: ReadonlySet<string>,
): PathEntry[] {
  const paths = resolveRecordNode(context, memberNode(root, member), `\`${member}\``);
  return listMemberNodes(paths).flatMap(([pathKey, node]) => {
    if (pathKey.startsWith('x-')) return [];
    const path = normalizePathKey(context, pathKey, node, member);
    if (declaredPaths?.has(path) === true) {
      const because = `\`paths\` has the path ${path} already`;
      context.report(
        'field-without-effect',
        { field: `${member}.${pathKey}`, because },
        { at: nodeOrigin(node) },
      );
      return [];
    }
    const layers = readPathLayers(context, node, pathKey);
    return layers.length === 0 ? [] : [{ path, layers }];
  });
}

function normalizePathKey(
  context: ReadContext,
  pathKey: string,
  node: SourceNode,
  member: 'paths' | 'x-ms-paths',
): string {
  const at = nodeOrigin(node);
  reportQueryOrFragment(context, pathKey, member, at);
  if (pathKey.startsWith('/')) return pathKey;
  context.report('path-without-slash', { path: pathKey }, { at });
  return `/${pathKey}`;
}

function reportQueryOrFragment(
  context: ReadContext,
  path: string,
  member: 'paths' | 'x-ms-paths',
  at: DocumentOrigin,
): void {
  const [address, ...fragment] = path.replaceAll(/\{[^{}]*\}/g, '').split('#');
  const parts = [
    ...(member === 'paths' && address?.includes('?')
      ? [{ what: 'a query', fate: 'The query is sent as it is.' }]
      : []),
    ...(fragment.length > 0 ? [{ what: 'a fragment', fate: 'A fragment is never sent.' }] : []),
  ];
  if (parts.length === 0) return;
  const what = parts.map((part) => part.what).join(' and ');
  context.report('path-with-query', { path, what, fate: parts.map(({ fate }) => fate).join(' ') }, { at });
}

function readPathLayers(context: ReadContext, node: SourceNode, path: string): RecordNode[] {
  if (node.value === null) return [];
  const item = resolveRecordNode(context, node, `The path ${path}`, 'path');
  const layers = item === undefined ? [] : [item];
  if (isRecordNode(node) && node.value.$ref !== undefined) layers.push(node);
  return layers;
}

export function findPathField({ layers }: PathEntry, field: string): SourceNode | undefined {
  const layer = layers.findLast(({ value }) => Object.hasOwn(value, field));
  return layer === undefined ? undefined : memberNode(layer, field);
}

export function listOperationEntries(context: ReadContext, path: PathEntry): OperationEntry[] {
  const fields = new Set(path.layers.flatMap(({ value }) => Object.keys(value)));
  return [...fields].flatMap((field): OperationEntry[] => {
    const node = findPathField(path, field);
    if (node?.value === undefined) return [];
    if (methods.some((method) => method === field))
      return readOperationEntry(context, path, field.toUpperCase(), node);
    if (field === 'additionalOperations') return readAdditionalOperations(context, path, node);
    if (!field.startsWith('x-') && !pathFields.some((pathField) => pathField === field)) {
      const suggestion = nearest(field, [...methods, ...pathFields]) ?? '';
      context.report('unknown-path-field', { field, path: path.path, suggestion }, { at: nodeOrigin(node) });
    }
    return [];
  });
}

function readOperationEntry(
  context: ReadContext,
  path: PathEntry,
  method: string,
  node: SourceNode,
): OperationEntry[] {
  const operation = resolveRecordNode(context, node, `The operation ${method} ${path.path}`);
  return operation === undefined ? [] : [{ ...path, method, operation }];
}

/** OpenAPI 3.2 sends these methods as written, but Node sends all methods in upper case. */
function readAdditionalOperations(context: ReadContext, path: PathEntry, node: SourceNode): OperationEntry[] {
  const additional = resolveRecordNode(context, node, `\`additionalOperations\` of ${path.path}`);
  const entries = listMemberNodes(additional);
  const methodNames = entries.map(([name]) => name);
  return entries.flatMap(([name, operation]) => {
    const problem = findMethodProblem(name, path, methodNames);
    if (problem !== undefined)
      context.report(
        'invalid-method',
        { method: name, path: path.path, ...problem },
        { at: nodeOrigin(operation) },
      );
    if (problem?.fate === 'ignored') return [];
    return readOperationEntry(context, path, name.toUpperCase(), operation);
  });
}

function findMethodProblem(
  name: string,
  path: PathEntry,
  methodNames: readonly string[],
): { fate: string; problem: string } | undefined {
  if (!isHttpToken(name)) return { fate: 'ignored', problem: 'it is not a token of RFC 9110' };
  const method = name.toUpperCase();
  const field = methods.find((methodName) => methodName.toUpperCase() === method);
  if (field !== undefined && findPathField(path, field) !== undefined)
    return { fate: 'ignored', problem: `the path has the field ${field} already` };
  const first = methodNames.includes(method)
    ? method
    : methodNames.find((methodName) => methodName.toUpperCase() === method);
  if (first !== name) return { fate: 'ignored', problem: `${first} is the same method` };
  if (field !== undefined)
    return { fate: `read as the field ${field}`, problem: 'a method with a field belongs there' };
  if (method === name) return undefined;
  return { fate: `sent as ${method}`, problem: 'Node sends methods in upper case only' };
}

/** `query` since OpenAPI 3.2. */
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const;

const pathFields = [
  '$ref',
  'summary',
  'description',
  'servers',
  'parameters',
  'additionalOperations',
] as const;

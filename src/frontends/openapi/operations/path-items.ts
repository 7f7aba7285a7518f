import { isHttpToken } from '../../../util/http-syntax.ts';
import { nearest } from '../../../../templates/runtime/validate.ts';
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

export function readPathEntries(context: ReadContext, root: RecordNode): PathEntry[] {
  const paths = resolveRecordNode(context, memberNode(root, 'paths'), '`paths`');
  return listMemberNodes(paths).flatMap(([pathKey, node]) => {
    if (pathKey.startsWith('x-')) return [];
    const layers = readPathLayers(context, node, pathKey);
    return layers.length === 0 ? [] : [{ path: normalizePathKey(context, pathKey, node), layers }];
  });
}

function normalizePathKey(context: ReadContext, pathKey: string, node: SourceNode): string {
  const at = nodeOrigin(node);
  if (/[?#]/.test(pathKey.replaceAll(/\{[^{}]*\}/g, '')))
    context.report('path-with-query', { path: pathKey }, { at });
  if (pathKey.startsWith('/')) return pathKey;
  context.report('path-without-slash', { path: pathKey }, { at });
  return `/${pathKey}`;
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
  const seen = new Set(methods.filter((field) => findPathField(path, field) !== undefined).map(String));
  return listMemberNodes(additional).flatMap(([name, operation]) => {
    const field = name.toLowerCase();
    const problem = !isHttpToken(name)
      ? 'it is not a token of RFC 9110'
      : seen.has(field)
        ? 'the path has this method already'
        : undefined;
    seen.add(field);
    if (problem === undefined) return readOperationEntry(context, path, name.toUpperCase(), operation);
    context.report(
      'invalid-method',
      { method: name, path: path.path, problem },
      { at: nodeOrigin(operation) },
    );
    return [];
  });
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

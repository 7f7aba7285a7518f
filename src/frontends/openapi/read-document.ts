import { basename } from 'node:path';

import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import { quoteAsCodeSpan } from '../../diagnostics/quoting.ts';
import { operationIdOrigin } from '../../model/operation-key.ts';
import type { ApiInfo, Operation, SourceModel } from '../../model/source-model.ts';
import { formatNameList, omitUndefined } from '../../util/collections.ts';
import { readAsWritten } from './document/document-value.ts';
import { describeValueKind, readCleanText } from './document/record.ts';
import { SecurityReader, readSecuritySchemes, usesAuthorizationHeader } from './document/security.ts';
import { readRootServers, swaggerServers } from './document/servers.ts';
import { readPrompts, readXMcp } from './document/x-mcp.ts';
import { readOperation } from './operations/operation.ts';
import { listOperationEntries, readPathEntries } from './operations/path-items.ts';
import { type ReadContext, resolveRecordNode } from './read-context.ts';
import {
  type RecordNode,
  type SourceNode,
  isRecordNode,
  listItemNodes,
  memberNode,
  nodeOrigin,
} from './reference/source-node.ts';
import { cutEndlessReferences } from './schema/finish-schema.ts';

/** Reads a document; undefined, after a report, if it has no operation. */
export function readDocument(context: ReadContext, root: RecordNode): SourceModel | undefined {
  const operations = readPathEntries(context, root).flatMap((path) => listOperationEntries(context, path));
  const webhooks = reportWebhooks(context, root, operations.length > 0);
  if (operations.length === 0) {
    const at = nodeOrigin(memberNode(root, 'paths'));
    context.report('no-operations', { source: context.entry.file, webhooks }, { at });
    return undefined;
  }
  const isSwagger = context.entry.version === '2.0';
  const info = readInfo(context, root);

  const key = isSwagger ? 'securityDefinitions' : 'securitySchemes';
  const holder = isSwagger
    ? root
    : resolveRecordNode(context, memberNode(root, 'components'), '`components`');
  const declared = holder && resolveRecordNode(context, memberNode(holder, key), `\`${key}\``);
  const names = new Set(Object.keys(declared?.value ?? {}));
  const security = new SecurityReader(context, readSecuritySchemes(context, declared), names);

  context.isAuthorizationFree = !Object.values(security.schemes).some(usesAuthorizationHeader);
  const read = operations.map((entry) => readOperation(context, security, entry));
  reportDuplicateIds(context, read);
  const prompts = readPrompts(context, root);
  const servers = isSwagger ? swaggerServers(root.value, context.entry.base) : readRootServers(context, root);
  const rest = omitUndefined({ security: security.readRequirements(root), xMcp: readXMcp(context, root) });
  const { schemas, origins } = context.schemas.finishPool(context.entry);
  cutEndlessReferences(schemas, (schema, isCircle) => {
    const at = ownMember(origins, schema);
    const problem = `A chain of references through ${quoteAsCodeSpan(schema)} is too long`;
    if (isCircle) context.report('endless-schema', { schema }, { at });
    else context.report('schema-too-large', { problem }, { at });
  });
  return {
    info,
    servers,
    ...rest,
    securitySchemes: security.schemes,
    schemas,
    schemaOrigins: origins,
    capabilities: [...read, ...prompts],
    tagTexts: readTagTexts(root),
    origin: nodeOrigin(root),
  };
}

function readTagTexts(root: RecordNode): ReadonlyMap<string, string> {
  const tags = listItemNodes(memberNode(root, 'tags')).filter(isRecordNode);
  return new Map(
    tags.flatMap(({ value: { name, description } }) => {
      const text = readCleanText(description);
      return typeof name === 'string' && text !== undefined ? [[name, text] as const] : [];
    }),
  );
}

function reportDuplicateIds(context: ReadContext, operations: readonly Operation[]): void {
  const first = new Map<string, Operation>();
  for (const operation of operations) {
    const { operationId } = operation;
    if (operationId === undefined) continue;
    const earlier = first.get(operationId);
    if (earlier === undefined) {
      first.set(operationId, operation);
      continue;
    }
    const names = { operationId, operation: formatLabel(operation), first: formatLabel(earlier) };
    const related = [{ message: 'It is used here first.', origin: operationIdOrigin(earlier) }];
    context.report('duplicate-operation-id', names, { at: operationIdOrigin(operation), related });
  }
}

function formatLabel({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function readInfo(context: ReadContext, root: RecordNode): ApiInfo {
  const node = memberNode(root, 'info');
  const info = resolveRecordNode(context, node, '`info`');
  const value = info?.value ?? {};
  const docs = resolveRecordNode(context, memberNode(root, 'externalDocs'), '`externalDocs`');
  const texts = {
    summary: readCleanText(value.summary),
    description: readCleanText(value.description),
    documentationUrl: docs && readUrl(context, memberNode(docs, 'url'), '`externalDocs.url`'),
  };
  return {
    title: (info && readCleanText(readAsWritten(memberNode(info, 'title')))) ?? deriveTitle(context, root),
    version: (info && readCleanText(readAsWritten(memberNode(info, 'version')))) ?? '0.0.0',
    ...omitUndefined(texts),
  };
}

function deriveTitle(context: ReadContext, root: RecordNode): string {
  const file = context.entry.file.replace(/[?#].*$/s, '');
  const title =
    basename(file)
      .replace(/\.\w+$/, '')
      .replaceAll(/[<>]/g, '') || 'API';
  context.report('missing-title', { title }, { at: nodeOrigin(memberNode(root, 'info')) });
  return title;
}

/** MCP requires an absolute URI for a server's web site. */
function readUrl(context: ReadContext, node: SourceNode, what: string): string | undefined {
  if (node.value === undefined || node.value === null) return undefined;
  const url = readCleanText(node.value);
  if (url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url)) return url;
  const actual = typeof node.value === 'string' ? JSON.stringify(node.value) : describeValueKind(node.value);
  const expected = 'an absolute URL with http or https';
  context.report('invalid-piece', { what, expected, found: actual }, { at: nodeOrigin(node) });
  return undefined;
}

/** Returns the number of webhooks (`x-webhooks` before OpenAPI 3.1). */
function reportWebhooks(context: ReadContext, root: RecordNode, hasOperations: boolean): number {
  const node = memberNode(root, root.value.webhooks === undefined ? 'x-webhooks' : 'webhooks');
  if (node.value === undefined) return 0;
  const webhooks = resolveRecordNode(context, node, '`webhooks`');
  const names = Object.keys(webhooks?.value ?? {}).filter((name) => !name.startsWith('x-'));
  const count = names.length;
  if (count === 0) return 0;
  if (hasOperations)
    context.report(
      'webhooks-left-out',
      { what: 'Webhooks', names: formatNameList(names, 5) },
      { at: nodeOrigin(node) },
    );
  return count;
}

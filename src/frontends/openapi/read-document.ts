import { operationIdOrigin } from '../../model/operation-id-origin.ts';
import type { Operation, SourceModel } from '../../model/source-model.ts';
import { readInfo } from './document/info.ts';
import { definedMembers } from '../../util/defined-members.ts';
import { readPrompts } from './document/prompts.ts';
import { SecurityReader, readSecuritySchemes } from './document/security.ts';
import { readRootServers } from './document/servers.ts';
import { readXMcp } from './document/x-mcp.ts';
import { readOperation } from './operations/operation.ts';
import { readOpenApi3Parts } from './operations/openapi3.ts';
import { operationEntries, pathEntries } from './operations/path-items.ts';
import { type ReadContext, readRecord } from './read-context.ts';
import { type RecordNode, memberOf, originOf } from './reference/source-node.ts';
import { cutEndless } from './schema/cut-endless.ts';
import { isKnownDialect } from './schema/schema-reader.ts';
import { readSwaggerParts } from './swagger2/operation.ts';
import { swaggerServers } from './swagger2/servers.ts';
import { reportWebhooks } from './document/webhooks.ts';
import { namedValue } from './document/shown-value.ts';

/** Undefined, after a report, if the document has no operation. */
export function readDocument(context: ReadContext, root: RecordNode): SourceModel | undefined {
  const operations = pathEntries(context, root).flatMap((path) => operationEntries(context, path));
  const webhooks = reportWebhooks(context, root, operations.length > 0);
  if (operations.length === 0) {
    const at = originOf(memberOf(root, 'paths'));
    if (webhooks === 0) context.report('no-operations', { source: context.entry.file }, { at });
    return undefined;
  }
  checkDialect(context, root);
  const isSwagger = context.entry.version === '2.0';
  const info = readInfo(context, root);
  const security = securityReader(context, root, isSwagger);
  const read = operations.map((entry) =>
    readOperation(context, security, entry, isSwagger ? readSwaggerParts : readOpenApi3Parts),
  );
  reportDuplicateIds(context, read);
  const prompts = readPrompts(context, root);
  const servers = isSwagger ? swaggerServers(root.value, context.entry.base) : readRootServers(context, root);
  const rest = definedMembers({ security: security.read(root), xMcp: readXMcp(context, root) });
  const { schemas, origins } = context.schemas.finish(context.entry);
  cutEndless(schemas, (schema) => {
    context.report('endless-schema', { schema }, { at: origins[schema] });
  });
  return {
    info,
    servers,
    ...rest,
    securitySchemes: security.schemes,
    schemas,
    schemaOrigins: origins,
    capabilities: [...read, ...prompts],
    origin: originOf(root),
  };
}

function securityReader(context: ReadContext, root: RecordNode, isSwagger: boolean): SecurityReader {
  const key = isSwagger ? 'securityDefinitions' : 'securitySchemes';
  const holder = isSwagger ? root : readRecord(context, memberOf(root, 'components'), '`components`');
  const declared = holder && readRecord(context, memberOf(holder, key), `\`${key}\``);
  const names = new Set(Object.keys(declared?.value ?? {}));
  return new SecurityReader(context, readSecuritySchemes(context, declared), names);
}

function checkDialect(context: ReadContext, root: RecordNode): void {
  const { jsonSchemaDialect: dialect } = root.value;
  if (dialect === undefined || isKnownDialect(dialect)) return;
  const at = originOf(memberOf(root, 'jsonSchemaDialect'));
  context.report('unknown-dialect', { dialect: namedValue(dialect) }, { at });
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

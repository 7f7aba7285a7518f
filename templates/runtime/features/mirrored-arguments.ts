// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `@header`: arguments that clients of 2026-07-28 repeat in headers, so that proxies can route by them ("Server Validation"). */
import type { Feature, MethodCall } from '../feature.ts';
import { compareHeader, decodeHeader, readHeader } from '../http-handler.ts';
import { isRecord, ownMember, writeJson } from '../json-rpc.ts';

interface MirroredArgument {
  header: string;
  path: string[];
}

export function mirroredArguments(): Feature {
  return {
    name: 'mirrored-arguments',
    aroundRequest: (call, next) => {
      checkHeaders(call);
      return next(call);
    },
  };
}

/** @throws {RpcError} for a header that contradicts its argument */
function checkHeaders({ server, exchange: { request }, agreement, method, params }: MethodCall): void {
  if (request === undefined || agreement.era === 'legacy' || method !== 'tools/call') return;
  const schema = server.catalog.tools.get(String(params['name']))?.inputSchema;
  for (const { header, path } of listMirrored(schema)) {
    const argument = path.reduce<unknown>(
      (holder, key) => (isRecord(holder) ? ownMember(holder, key) : undefined),
      params['arguments'],
    );
    const sent = decodeHeader(header, readHeader(request, header.toLowerCase()));
    // `42.0` equals 42.
    const isEqual =
      typeof argument === 'number' && /^-?\d+\.\d+$/.test(sent ?? '') && Number(sent) === argument;
    if (!isEqual) compareHeader(header, textOf(argument ?? undefined), sent);
  }
}

function textOf(argument: unknown): string | undefined {
  if (argument === undefined) return undefined;
  return typeof argument === 'string' ? argument : writeJson(argument);
}

/** Only members that `properties` alone lead to. */
function listMirrored(schema: unknown, path: string[] = []): MirroredArgument[] {
  const { 'x-mcp-header': header, properties = {} } = isRecord(schema) ? schema : {};
  const mirrored = typeof header === 'string' ? [{ header: `Mcp-Param-${header}`, path }] : [];
  const inner = Object.entries(properties as object);
  return [...mirrored, ...inner.flatMap(([name, item]) => listMirrored(item, [...path, name]))];
}

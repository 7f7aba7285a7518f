import type { JsonSchema } from '../../../../templates/runtime/contract/json-schema.ts';
import type { Response, ResponseHeader } from '../../../model/source-model.ts';
import { type ReadContext, readRecord } from '../read-context.ts';
import { type RecordNode, memberOf } from '../reference/source-node.ts';
import { readExample } from './examples.ts';

/** Reads a Header Object as a schema; undefined if it has none. Swagger 2.0 and OpenAPI 3 differ here. */
export type HeaderReader = (context: ReadContext, node: RecordNode, name: string) => JsonSchema | undefined;

/** The headers that results show: `location`, or all for an answer to HEAD. */
export type ShownHeaders = 'location' | 'all';

/** Reads a response's headers in the document's order. `Content-Type` is ignored, as the Response Object demands. */
export function readResponseHeaders(
  context: ReadContext,
  response: RecordNode,
  shown: ShownHeaders,
  read: HeaderReader,
): Pick<Response, 'headers'> {
  if (response.value.headers === undefined) return {};
  const written = readRecord(context, memberOf(response, 'headers'), '`headers` of a response');
  const names = Object.keys(written?.value ?? {}).filter((name) =>
    shown === 'all' ? !/^content-type$/i.test(name) : /^location$/i.test(name),
  );
  const headers = names.flatMap((name): ResponseHeader[] => {
    const node = written && readRecord(context, memberOf(written, name), `The header ${name}`);
    const schema = node && read(context, node, name);
    return schema === undefined ? [] : [{ name: name.toLowerCase(), schema }];
  });
  return headers.length === 0 ? {} : { headers };
}

export function readHeader(context: ReadContext, node: RecordNode): JsonSchema | undefined {
  const { example } = readExample(context, node);
  if (example !== undefined) return { const: example };
  const schema = memberOf(node, 'schema');
  return schema.value === undefined ? undefined : context.schemas.read(schema);
}

import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import { pointerTokens } from '../reference/json-pointer.ts';
import type { SourceNode } from '../reference/source-node.ts';

/** Fields of an OpenAPI document; only `holders` contain schemas. */
const fields = new Set([
  ...'openapi $self info servers paths webhooks components security tags externalDocs'.split(' '),
  ...['jsonSchemaDialect', 'swagger', 'host', 'basePath', 'schemes', 'consumes', 'produces', 'definitions'],
  ...['parameters', 'responses', 'securityDefinitions'],
]);
const holders = new Set(['paths', 'webhooks', 'components', 'parameters', 'responses']);
const schemaFields = new Set(['schema', 'itemSchema', 'items']);

/** Whether a schema may stand at a place. Fragments and extensions may contain anything. */
export function canBeSchema({ pointer, document }: SourceNode): boolean {
  if (pointer.startsWith('/components/schemas/') || pointer.startsWith('/definitions/')) return true;
  if (!isRecord(document.value) || !('openapi' in document.value || 'swagger' in document.value)) return true;
  const [field, ...inside] = pointerTokens(pointer);
  if (field === undefined) return false;
  if (!fields.has(field)) return true;
  return holders.has(field) && inside.some((token, index) => index > 0 && schemaFields.has(token));
}

/** What is said of a body when its operation is compiled. */
import type { JsonSchema } from '../../templates/runtime/schema/json-schema.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Operation } from '../model/source-model.ts';
import type { ToolArgument } from './arguments.ts';
import type { BodyShape } from './body.ts';
import { reachesBytes } from './bytes-schema.ts';
import { operationKey } from './operation-key.ts';
import { resolveAlone, type SchemaView } from './schema-view.ts';

export function reportBody(
  operation: Operation,
  shape: BodyShape,
  list: readonly ToolArgument[],
  view: SchemaView,
  diagnostics: DiagnosticCollector,
): void {
  const { media } = shape;
  const at = media.origin;
  if (shape.kind === 'whole' && isForm(shape) && acceptsNoObject(shape.schema, view)) {
    const about = { mediaType: media.mediaType, operation: operationKey(operation) };
    return diagnostics.report('form-without-fields', about, { at });
  }
  if (shape.xml !== undefined && 'because' in shape.xml) {
    const { because } = shape.xml;
    return diagnostics.report('xml-as-text', { because, operation: operationKey(operation) }, { at });
  }
  if (media.kind !== 'multipart') return;
  for (const { argument, in: place, binary, mayBeFile, schema } of list) {
    if (place !== 'body' || binary === true || mayBeFile === true) continue;
    const hasBytes = shape.kind === 'whole' ? shape.parts?.hasBytesInside : reachesBytes(schema, view);
    if (hasBytes !== true) continue;
    diagnostics.report('files-sent-as-text', { argument, operation: operationKey(operation) }, { at });
  }
}

function isForm({ media }: BodyShape): boolean {
  return media.kind === 'form' || media.kind === 'multipart';
}

function acceptsNoObject(schema: JsonSchema, view: SchemaView, around: readonly JsonSchema[] = []): boolean {
  const own = resolveAlone(schema, view);
  if (typeof own !== 'object' || around.includes(own)) return own === false;
  const { type, anyOf, oneOf } = own;
  if (type !== undefined) return ![type].flat().includes('object');
  const branches = anyOf ?? oneOf ?? [];
  return branches.length > 0 && branches.every((branch) => acceptsNoObject(branch, view, [...around, own]));
}

/** The choice is ours, and a person may have another. */
export function reportChoice(
  operation: Operation,
  { media }: BodyShape,
  diagnostics: DiagnosticCollector,
): void {
  const offered = operation.body?.content ?? [];
  if (offered.length < 2) return;
  const others = offered.filter((other) => other !== media).map(({ mediaType }) => mediaType);
  diagnostics.report(
    'body-media-type-chosen',
    { chosen: media.mediaType, others: others.join(', '), operation: operationKey(operation) },
    { at: media.origin },
  );
}

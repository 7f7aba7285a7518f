/** Reports the body that a tool sends, and parts of the document that have no effect on it. */
import type { JsonSchema } from '../../util/json-schema.ts';
import { mediaTypeEssence } from '../../util/http-syntax.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { Operation } from '../../model/source-model.ts';
import type { BodyShape } from './body.ts';
import { reachesBytesSchema } from './bytes-schema.ts';
import { operationKey } from '../../model/operation-key.ts';
import { resolveLoneReference, type SchemaView } from '../schema/schema-view.ts';
import type { ToolArgument } from '../arguments/argument-schema.ts';

export function reportBodyProblems(
  operation: Operation,
  shape: BodyShape,
  list: readonly ToolArgument[],
  view: SchemaView,
  diagnostics: DiagnosticCollector,
): void {
  const { media } = shape;
  const at = media.origin;
  const key = operationKey(operation);
  if (shape.kind === 'flat')
    for (const name of Object.keys(media.encoding ?? {}).filter((key) => !shape.object.properties.has(key)))
      diagnostics.report(
        'field-without-effect',
        { field: `encoding.${name}`, because: 'the body has no such property' },
        { at },
      );
  if (media.isUnwritten === true) {
    const parameters = { operation: key, format: media.mediaType, kind: shape.wireKind };
    return diagnostics.report('body-not-composed', parameters, { at });
  }
  if (
    shape.kind === 'whole' &&
    (shape.media.kind === 'form' || shape.media.kind === 'multipart') &&
    !hasFormFields(shape, shape.schema, view)
  ) {
    return diagnostics.report('body-not-composed', { operation: key, mediaType: media.mediaType }, { at });
  }
  if (shape.xml !== undefined && 'because' in shape.xml) {
    return diagnostics.report('body-not-composed', { operation: key, because: shape.xml.because }, { at });
  }
  if (media.kind !== 'multipart') return;
  for (const { argument, in: place, binary, mayBeFile, schema } of list) {
    if (place !== 'body' || binary === true || mayBeFile === true) continue;
    const hasBytes = shape.kind === 'whole' ? shape.parts?.hasBytesInside : reachesBytesSchema(schema, view);
    if (hasBytes !== true) continue;
    diagnostics.report('body-not-composed', { operation: key, argument }, { at });
  }
}

/** Parts of a form need names (RFC 7578, section 4.2), which items of a list have not. */
function hasFormFields({ media }: BodyShape, schema: JsonSchema, view: SchemaView): boolean {
  const takesLists =
    media.kind === 'multipart' && mediaTypeEssence(media.mediaType) !== 'multipart/form-data';
  return acceptsType('object', schema, view) || (takesLists && acceptsType('array', schema, view));
}

function acceptsType(
  wanted: 'object' | 'array',
  schema: JsonSchema,
  view: SchemaView,
  around: readonly JsonSchema[] = [],
): boolean {
  const target = resolveLoneReference(schema, view);
  if (typeof target !== 'object' || around.includes(target)) return target !== false;
  const { type, anyOf, oneOf } = target;
  if (type !== undefined) return [type].flat().includes(wanted);
  const branches = anyOf ?? oneOf ?? [];
  return (
    branches.length === 0 || branches.some((branch) => acceptsType(wanted, branch, view, [...around, target]))
  );
}

/** Users may prefer another media type. */
export function reportChosenMediaType(
  operation: Operation,
  { media }: BodyShape,
  diagnostics: DiagnosticCollector,
): void {
  const offered = operation.body?.content ?? [];
  if (offered.length < 2) return;
  const otherTypes = offered.filter((other) => other !== media).map(({ mediaType }) => mediaType);
  diagnostics.report(
    'body-media-type-chosen',
    { chosen: media.mediaType, others: otherTypes.join(', '), operation: operationKey(operation) },
    { at: media.origin },
  );
}

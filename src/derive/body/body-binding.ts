/** Binds arguments to the body, and writes notes for rules that the schema cannot express. */
import type { BodyBinding, BodyPropertyBinding } from '../../../templates/runtime/contract/bindings.ts';
import type { Operation } from '../../model/source-model.ts';
import type { BodyShape } from './body.ts';
import { isMergePatch } from './merge-patch.ts';
import { bindWholeParts } from './parts.ts';
import { definedMembers } from '../../util/defined-members.ts';
import type { ToolArgument } from '../arguments/argument-names.ts';

export function bindBody(
  { body }: Operation,
  { kind, media, written, xml, encodings, ...shape }: BodyShape,
  list: readonly ToolArgument[],
): BodyBinding {
  const inBody = list.filter((each) => each.in === 'body');
  const object = 'object' in shape ? shape.object : undefined;
  const alternatives = (body?.content ?? [])
    .filter((other) => other !== media)
    .map((other) => other.mediaType);
  const together = body?.required === false ? inBody.filter(({ name }) => object?.required.has(name)) : [];
  return {
    mediaType: media.mediaType,
    kind: written,
    ...(body?.required === true ? { required: true } : {}),
    ...(kind === 'whole'
      ? { argument: inBody[0]?.argument ?? 'body' }
      : { properties: inBody.map(propertyBinding) }),
    ...(together.length === 0 ? {} : { requiredTogether: together.map(({ name }) => name) }),
    ...encodings,
    ...('parts' in shape && shape.parts && bindWholeParts(shape.parts)),
    ...('raw' in shape ? { mayBeFile: true } : {}),
    ...(xml && 'root' in xml && { xml }),
    ...(alternatives.length === 0 ? {} : { alternatives }),
  };
}

function propertyBinding({
  argument,
  name,
  binary,
  mayBeFile,
  contentEncoding,
}: ToolArgument): BodyPropertyBinding {
  return {
    argument,
    name,
    ...(binary === true ? { binary } : {}),
    ...(mayBeFile === true ? { mayBeFile } : {}),
    ...definedMembers({ contentEncoding }),
  };
}

/** Sentences for the tool's description, about rules that the input schema cannot express. */
export function bodyNotes(
  shape: BodyShape,
  { requiredTogether = [], properties = [] }: BodyBinding,
): string[] {
  const notes: string[] = [];
  if (isMergePatch(shape.media.mediaType))
    notes.push('The request body is a merge patch: what is left out stays as it is, null removes it.');
  if (requiredTogether.length > 1 || (requiredTogether.length === 1 && properties.length > 1)) {
    const names = properties
      .filter(({ name }) => requiredTogether.includes(name))
      .map(({ argument }) => argument);
    notes.push(`The request body is optional; when any of it is given, ${names.join(', ')} must be.`);
  }
  if (shape.kind === 'flat' && shape.object.minProperties > 0)
    notes.push(`The request body needs at least ${shape.object.minProperties} of its properties.`);
  return notes;
}

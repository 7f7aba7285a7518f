import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import type { ReferenceTarget } from '../../../diagnostics/reference-fate.ts';
import type { DocumentOrigin } from '../../../model/origin.ts';
import type { Report } from '../report.ts';
import { type RecordNode, type SourceNode, childOf, identityOf, originOf } from './source-node.ts';
import { namedValue } from '../document/shown-value.ts';

/** The member that holds the reference's text, else its object. */
export function placeOf(from: SourceNode, ref: unknown): DocumentOrigin {
  const { value } = from;
  const key = isRecord(value)
    ? ['$ref', ...Object.keys(value)].find((name) => value[name] === ref)
    : undefined;
  return originOf(key === undefined ? from : childOf(from, key, ref));
}

/** The expected target of a reference, for messages. */
export interface Expected {
  /** `A parameter of GET /pets`. */
  what: string;
  target: ReferenceTarget;
}

export const aSchema: Expected = { what: 'A schema', target: 'schema' };

/** Reports a circle back to `again`; `passed` holds the objects on the path, the one to blame first. */
export function reportCircle(
  report: Report,
  passed: readonly RecordNode[],
  again: SourceNode,
  { what, target }: Expected,
): void {
  const [first] = passed;
  if (first === undefined) return;
  const { $ref } = first.value;
  const start = passed.findIndex((node) => identityOf(node) === identityOf(again));
  const places = passed.slice(Math.max(0, start)).map((node) => placeOf(node, node.value.$ref));
  const related = places
    .slice(0, 5)
    .filter(({ file, pointer }) => file !== first.document.file || pointer !== `${first.pointer}/$ref`)
    .map((origin) => ({ message: 'This reference is part of the circle.', origin }));
  const at = placeOf(first, $ref);
  report(
    'circular-ref',
    { what, target, ref: namedValue($ref) },
    { at, ...(related.length === 0 ? {} : { related }) },
  );
}

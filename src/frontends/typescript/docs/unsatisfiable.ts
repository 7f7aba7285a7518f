import type { JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import type { TellAt } from '../schema/form.ts';
import type { DocTag } from './doc-text.ts';

/** Lower bounds with their upper bounds. */
const PAIRS = [
  ['minimum', 'maximum'],
  ['minimum', 'exclusiveMaximum'],
  ['exclusiveMinimum', 'maximum'],
  ['exclusiveMinimum', 'exclusiveMaximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;

/** Reports the first contradiction that involves a tag. */
export function tellUnsatisfiable(schema: JsonSchemaObject, tags: readonly DocTag[], tell: TellAt): void {
  if (tags.length === 0) return;
  for (const [lower, upper] of PAIRS) {
    const tag = tags.find(({ name }) => name === lower || name === upper);
    const { [lower]: least, [upper]: most } = schema;
    if (tag === undefined || least === undefined || most === undefined) continue;
    const isStrict = lower.startsWith('exclusive') || upper.startsWith('exclusive');
    if (least < most || (least === most && !isStrict)) continue;
    tell('nothing-satisfies', { lower: `${lower} ${least}`, upper: `${upper} ${most}` }, tag);
    return;
  }
}

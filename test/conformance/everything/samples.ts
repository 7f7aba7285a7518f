/** Small pieces that several items answer with. */
import type { ObjectSchema } from '../../../templates/runtime/schema/json-schema.ts';

/** One red pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** No samples at all: a header alone. */
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

export const NO_ARGUMENTS: ObjectSchema = { type: 'object' };

/** A form with one text to fill in. */
export function textForm(name: string): ObjectSchema {
  return { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] };
}

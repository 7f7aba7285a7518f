/** Words that stand in place of a cut schema: some of its own, and how to read the rest. */
import type { Json } from '../../../templates/runtime/contract/json-schema.ts';
import { trimText } from '../text/plain-text.ts';

/** Values of an enum that are shown. */
export const MOST_VALUES = 20;

/** Bytes of the description of what is cut. */
const MOST_WORDS = 100;

export function shortenDescription(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  return trimText(text, Math.floor((MOST_WORDS * text.length) / Buffer.byteLength(text)));
}

export function describeEnumValues(values: readonly Json[], path: string): string {
  const shown = values.slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
  const more = values.length - shown.length;
  return `One of ${shown.join(', ')} and ${more} more values: ${describeToolCall(path)}.`;
}

export function describeToolCall(path: string): string {
  return `describe_tool {name, path: ${JSON.stringify(path)}}`;
}

export function appendWords(text: string | undefined, more: string): string {
  return text === undefined ? more : `${text} ${more}`;
}

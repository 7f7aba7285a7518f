/** Words that stand in place of a cut schema: some of its own, and how to read the rest. */
import type { Json } from '../../../templates/runtime/contract/json-schema.ts';
import { trimText } from '../text/plain-text.ts';

/** Values of an enum that are shown. */
export const MOST_VALUES = 20;

/** Bytes of the description of what is cut. */
const MOST_WORDS = 100;

export function shortenDescription(words: string | undefined): string | undefined {
  if (words === undefined || words === '') return undefined;
  return trimText(words, Math.floor((MOST_WORDS * words.length) / Buffer.byteLength(words)));
}

export function describeEnumValues(values: readonly Json[], path: string): string {
  const shown = values.slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
  const more = values.length - shown.length;
  return `One of ${shown.join(', ')} and ${more} more values: ${describeToolCall(path)}.`;
}

export function describeToolCall(path: string): string {
  return `describe_tool {name, path: ${JSON.stringify(path)}}`;
}

export function appendWords(said: string | undefined, more: string): string {
  return said === undefined ? more : `${said} ${more}`;
}

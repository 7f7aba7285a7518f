import {
  CORE_SCHEMA,
  EVENT_ID,
  type Event,
  SCALAR_STYLE,
  YAMLException,
  constructFromEvents,
  mergeTag,
  parseEvents,
} from 'js-yaml';

import {
  type LoadFailure,
  type ParsedText,
  isLoadFailure,
  syntaxFailure,
  tooDeepFailure,
} from './load-failure.ts';
import type { DocumentLimits } from './loaded-document.ts';
import { makeUnreadableFailure } from './read-file.ts';
import { parseJson } from './parse-json.ts';

type TextLimits = Pick<DocumentLimits, 'depth' | 'jsonDepth'>;

/** Texts that begin with a bracket are JSON, else YAML. A `.yaml` file may also begin like JSON. */
export function parseText(text: string, source: string, limits: TextLimits): ParsedText | LoadFailure {
  // An HTML page is reported as such rather than as a syntax error.
  if (/^\s*</.test(text)) return { value: text, format: 'yaml' };
  if (!/^\s*[{[]/.test(text)) return parseYaml(text, source, limits.depth);
  const json = parseJson(text, source, limits);
  if (!isLoadFailure(json) || !/\.ya?ml$/i.test(source)) return json;
  const yaml = parseYaml(text, source, limits.depth);
  return isLoadFailure(yaml) ? json : yaml;
}

/** YAML 1.2 core (dates and `on` stay strings), with the merge keys of YAML 1.1 that documents still use. */
const schema = CORE_SCHEMA.withTags(mergeTag);
const mergeKeys = 1_000_000;

export function parseYaml(text: string, source: string, depth: number): ParsedText | LoadFailure {
  try {
    const { events, text: repaired } = readYamlEvents(text, depth);
    const parsed = constructValue(events, repaired, source);
    return repaired === text || isLoadFailure(parsed) ? parsed : { ...parsed, text: repaired };
  } catch (error) {
    if (error instanceof RangeError) return tooDeepFailure(source, depth);
    if (!(error instanceof YAMLException)) throw error;
    if (error.reason.includes('maxDepth')) return tooDeepFailure(source, depth);
    const problem = error.reason.replace(/\.$/, '');
    return syntaxFailure({ source, format: 'YAML', problem }, text, error.mark?.position);
  }
}

function constructValue(events: Event[], text: string, source: string): ParsedText | LoadFailure {
  const options = { source: text, schema, maxTotalMergeKeys: mergeKeys };
  const count = (id: Event['type']): number => events.filter(({ type }) => type === id).length;
  const [documents, aliases] = [count(EVENT_ID.DOCUMENT), count(EVENT_ID.ALIAS)];
  if (documents > 1) return makeUnreadableFailure(source, `it holds ${documents} YAML documents`);
  const rest = { format: 'yaml', ...(aliases === 0 ? {} : { aliases }) } as const;
  readKeysAsTexts(events, text);
  try {
    return { value: constructFromEvents(events, options)[0], ...rest };
  } catch (error) {
    if (!(error instanceof YAMLException && error.reason === 'duplicated mapping key')) throw error;
    const [value] = constructFromEvents(events, { ...options, json: true });
    // The parser stops at the first of them.
    const offset = error.mark?.position ?? 0;
    const [key = ''] = /^.*?(?=["']?\s*:(?:\s|$)|$)/m.exec(text.slice(offset)) ?? [];
    return { value, ...rest, duplicateKeys: [{ key, offset }] };
  }
}

/** Keys of a document are names: `007`, `1.10`, `0x1F` and `true` are read as they are written. */
function readKeysAsTexts(events: Event[], text: string): void {
  // For each open collection whether its next node is a key; undefined in a list.
  const isNextKey: (boolean | undefined)[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      isNextKey.pop();
      continue;
    }
    const isKey = isNextKey.at(-1);
    if (isKey !== undefined) isNextKey[isNextKey.length - 1] = !isKey;
    if (event.type === EVENT_ID.MAPPING) isNextKey.push(true);
    else if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.DOCUMENT) isNextKey.push(undefined);
    else if (isKey === true && event.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.PLAIN) {
      const isMerge = text.slice(event.valueStart, event.valueEnd) === '<<';
      if (!isMerge && event.tagStart < 0) event.style = SCALAR_STYLE.SINGLE_QUOTED;
    }
  }
}

export interface YamlEvents {
  events: Event[];
  /** Lines of flow collections may have been indented. */
  text: string;
}

/** Limit of characters that repairs may parse again. */
const repairBudget = 60_000_000;
const padding = ' '.repeat(64);

/**
 * YAML 1.2 requires lines of a flow collection to be indented deeper than its parent, but many documents close `}` at
 * the margin. Indentation has no meaning there, so such lines are indented and read again.
 */
function readYamlEvents(source: string, depth: number): YamlEvents {
  let text = source;
  let first: YAMLException | undefined;
  let budget = repairBudget;
  for (;;) {
    try {
      return { events: parseEvents(text, { maxDepth: depth }), text };
    } catch (error) {
      const position = findIndentationError(error);
      budget -= text.length;
      if (position === undefined || budget < 0)
        throw first !== undefined && isErrorAtEnd(error, text) ? first : error;
      if (first === undefined && error instanceof YAMLException) first = error;
      const start = text.lastIndexOf('\n', position - 1) + 1;
      // A line that was indented already has another problem.
      if (text.startsWith(padding, start)) throw first ?? error;
      text = text.slice(0, start) + padding + text.slice(start);
    }
  }
}

function findIndentationError(error: unknown): number | undefined {
  if (!(error instanceof YAMLException) || error.reason !== 'deficient indentation') return undefined;
  return error.mark?.position;
}

/** An unclosed bracket swallows the rest, so the first error was the right one. */
function isErrorAtEnd(error: unknown, text: string): boolean {
  if (!(error instanceof YAMLException) || error.mark === undefined) return false;
  return text.slice(error.mark.position).trim() === '' || error.reason.includes('missed comma');
}

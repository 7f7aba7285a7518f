import { CORE_SCHEMA, EVENT_ID, type Event, YAMLException, constructFromEvents, mergeTag } from 'js-yaml';
import { lineColumnOf } from '../../../diagnostics/locate/line-column.ts';
import { type LoadFailure, hasFailed, loadFailure, tooDeep } from './load-failure.ts';
import type { ParsedText } from './parsed-text.ts';
import { readYamlEvents } from './yaml-events.ts';
import { findDuplicateKeys } from './yaml-keys.ts';

/** YAML 1.2 core (dates and `on` stay strings), with the merge keys of YAML 1.1 that documents still use. */
const schema = CORE_SCHEMA.withTags(mergeTag);
const mergeKeys = 1_000_000;

/** Parses one YAML document. `depth` bounds the nesting of collections. */
export function parseYaml(text: string, source: string, depth: number): ParsedText | LoadFailure {
  try {
    const { events, text: repaired } = readYamlEvents(text, depth);
    const parsed = construct(events, repaired, source);
    return repaired === text || hasFailed(parsed) ? parsed : { ...parsed, text: repaired };
  } catch (error) {
    return describe(error, text, source, depth);
  }
}

function construct(events: Event[], text: string, source: string): ParsedText | LoadFailure {
  const options = { source: text, schema, maxTotalMergeKeys: mergeKeys };
  const { documents: count, aliases } = countEvents(events);
  if (count > 1)
    return loadFailure('several-yaml-documents', { source, count }, `it holds ${count} YAML documents`);
  const rest = { format: 'yaml', ...(aliases === 0 ? {} : { aliases }) } as const;
  try {
    return { value: single(constructFromEvents(events, options)), ...rest };
  } catch (error) {
    if (!(error instanceof YAMLException && error.reason === 'duplicated mapping key')) throw error;
    const value = single(constructFromEvents(events, { ...options, json: true }));
    return { value, ...rest, duplicateKeys: findDuplicateKeys(events, text) };
  }
}

function countEvents(events: Event[]): { documents: number; aliases: number } {
  let documents = 0;
  let aliases = 0;
  for (const { type } of events) {
    if (type === EVENT_ID.DOCUMENT) documents += 1;
    else if (type === EVENT_ID.ALIAS) aliases += 1;
  }
  return { documents, aliases };
}

function single(documents: unknown[]): unknown {
  return documents[0];
}

function describe(error: unknown, text: string, source: string, depth: number): LoadFailure {
  if (error instanceof RangeError) return tooDeep(source, depth);
  if (!(error instanceof YAMLException)) throw error;
  if (error.reason.includes('maxDepth')) return tooDeep(source, depth);
  const problem = error.reason.replace(/\.$/, '');
  const place = lineColumnOf(text, error.mark?.position ?? 0);
  return loadFailure('invalid-yaml', { source, problem }, `it is not valid YAML: ${problem}`, {
    kind: 'code',
    file: source,
    ...place,
  });
}

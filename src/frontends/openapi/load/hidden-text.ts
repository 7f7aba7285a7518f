/** Reports invisible characters. Prose is cleaned where it is read. */
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import { describeHidden, mayHaveHiddenCharacters } from '../../../model/clean-prose.ts';
import type { DocumentOrigin } from '../../../model/origin.ts';
import { escapePointerToken } from '../../../util/json-schema.ts';
import type { Report } from '../report.ts';
import type { LoadedDocument } from './loaded-document.ts';

/** Most reports for one document: if there are more, they have one cause. */
const MOST = 100;

/** Escapes that may encode an invisible character or many marks. A backslash behind another is no escape. */
const escapes =
  /(?<!\\)(?:\\\\)*\\(?:u(?:[\da-fA-F]{4}(?:\\u[\da-fA-F]{4}){14}|00[0189aA]|034|061|11[56]|17[bB]|180|20[0236]|280|316|[dD][89a-fA-F]|[fF][eEfF])|U|x|[0abefvNLP])/;

interface Found {
  pointer: string;
  text: string;
  kind: 'prose' | 'value' | 'key';
}

export function reportHiddenText(document: LoadedDocument, report: Report): void {
  const { text, value, file, writtenAt } = document;
  if (writtenAt === undefined && !mayHaveHiddenCharacters(text) && !escapes.test(text)) return;
  const hiddenParts = hiddenTexts(value);
  for (const { pointer, text: hidden, kind } of hiddenParts.slice(0, MOST)) {
    const origin = writtenAt?.(pointer) ?? ({ kind: 'document', file, pointer } satisfies DocumentOrigin);
    const at: DocumentOrigin = kind === 'key' ? { ...origin, on: 'key' } : origin;
    const more = hiddenParts.length > MOST ? hiddenParts.length - MOST : 0;
    if (kind === 'prose') report('hidden-text', { hidden }, { at });
    else
      report(
        'hidden-text-in-value',
        { hidden, more: pointer === hiddenParts[MOST - 1]?.pointer ? more : 0 },
        { at },
      );
  }
}

interface Place {
  /** The place that it is in, as `key`. The document itself is in none. */
  parent: Place | undefined;
  key: string;
  value: unknown;
  /** In data a member called `description` is no prose. */
  isData: boolean;
  isMap: boolean;
}

function hiddenTexts(document: unknown): Found[] {
  const hiddenParts: Found[] = [];
  const open: Place[] = [{ parent: undefined, key: '', value: document, isData: false, isMap: false }];
  const seen = new Set<unknown>();
  for (const place of open) {
    const { value } = place;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const isList = Array.isArray(value);
    for (const [key, member] of Object.entries(value)) {
      if (!isList) noteHidden(hiddenParts, place, key, key, () => 'key');
      if (typeof member === 'string')
        noteHidden(hiddenParts, place, key, member, () => (isProse(place, key) ? 'prose' : 'value'));
      else if (typeof member === 'object' && member !== null) open.push(memberPlace(place, key, member));
    }
  }
  return hiddenParts;
}

function noteHidden(
  hiddenParts: Found[],
  place: Place,
  key: string,
  text: string,
  judge: () => Found['kind'],
): void {
  const hidden = describeHidden(text);
  if (hidden === undefined) return;
  hiddenParts.push({
    pointer: `${printPointer(place)}/${escapePointerToken(key)}`,
    text: hidden,
    kind: judge(),
  });
}

function printPointer({ parent, key }: Place): string {
  return parent === undefined ? '' : `${printPointer(parent)}/${escapePointerToken(key)}`;
}

const values = new Set('default example enum const value dataValue serializedValue required'.split(' '));
const maps = new Set([
  ...'properties patternProperties $defs definitions dependentSchemas schemas responses parameters'.split(
    ' ',
  ),
  ...'headers content examples requestBodies securitySchemes securityDefinitions links callbacks'.split(' '),
  ...['pathItems', 'mediaTypes', 'paths', 'webhooks', 'variables', 'encoding', 'mapping', 'flows'],
]);

function memberPlace(parent: Place, key: string, value: unknown): Place {
  const { isData, isMap } = parent;
  const isKeyword = !isData && !isMap;
  return {
    parent,
    key,
    value,
    isData: isData || (isKeyword && (values.has(key) || (key === 'examples' && Array.isArray(value)))),
    isMap: isKeyword && maps.has(key) && isRecord(value),
  };
}

const prose = new Set([
  ...['title', 'summary', 'description', '$comment', 'instructions', 'text', 'template', 'termsOfService'],
  ...['x-displayName', 'version'],
]);

/** Names of people, licences, tags and operations are prose; names of parameters are sent. */
function isProse(place: Place, key: string): boolean {
  const { isData, isMap } = place;
  if (isData) return false;
  const pointer = printPointer(place);
  if (/\/scopes$/.test(pointer) || /\/x-enum-?(?:descriptions|varnames)(?:\/|$)/i.test(pointer)) return true;
  if (/\/(?:get|put|post|delete|options|head|patch|trace|query)\/tags$/.test(pointer)) return true;
  if (key === 'operationId') return !isMap;
  if (key === 'name') return /^\/(?:info\/(?:contact|license)|tags\/\d+|servers\/\d+)$/.test(pointer);
  return !isMap && prose.has(key);
}

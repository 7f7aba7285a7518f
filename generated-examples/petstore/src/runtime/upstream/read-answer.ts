// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Decodes answers of the API and limits their size. */
import { MOST_MEMBERS, countMembers } from '../contract/count-members.ts';
import type { Json, JsonObject } from '../contract/json-schema.ts';
import type { WireAnswer } from './send.ts';
import { isJsonType, isText, mediaTypeParameter } from '../contract/http-syntax.ts';
import { type Redact, redactJson, redactNothing } from '../redact.ts';
import {
  getOwnMember,
  memberNames,
  omitUndefined,
  readJson,
  setOwnMember,
  writeJson,
} from '../contract/json-value.ts';
import type { AnswerBody, UpstreamAnswer } from '../core/handler-result.ts';
import type { UpstreamLimits } from '../contract/feature.ts';
import { JsonTexts } from './json-texts.ts';

/** @param isForCode code gets an answer whole, of however many members */
export function parseAnswer(
  wire: WireAnswer,
  url: string,
  redact: Redact,
  isForCode = false,
): UpstreamAnswer {
  const { status } = wire;
  const header = wire.headers['content-type'];
  // A type without a slash (`json`), as APIs may send it, is ignored.
  const mediaType = header !== undefined && /^[^/;]+\/[^/;]/.test(header) ? header : undefined;
  const answer: UpstreamAnswer = {
    status,
    ok: status >= 200 && status < 300,
    headers: redact === redactNothing ? wire.headers : redactHeaders(wire.headers, redact),
    url,
    body: parseBodyAs(mediaType, wire, redact, isForCode),
  };
  if (mediaType !== undefined) answer.mediaType = redact(mediaType);
  if (wire.truncated) answer.truncated = true;
  const list = wire.sequence ?? wire.texts;
  if (list !== undefined) answer.isList = true;
  const part = list?.part ?? (answer.body.kind === 'text' ? describeEarlyEnd('the text', wire) : undefined);
  if (part !== undefined) answer.cut = `The answer was not read to its end. Shown: ${part}.`;
  return answer;
}

/** A `Location` may repeat the query of the request. */
function redactHeaders(headers: WireAnswer['headers'], redact: Redact): WireAnswer['headers'] {
  const redacted: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) redacted[redact(name)] = redact(value);
  return redacted;
}

/** Never throws: broken JSON becomes text, undecodable text becomes bytes. */
function parseBodyAs(
  mediaType: string | undefined,
  wire: WireAnswer,
  redact: Redact,
  isForCode: boolean,
): AnswerBody {
  const { body, sequence, saved } = wire;
  if (saved !== undefined) return { kind: 'file', ...saved };
  if (sequence !== undefined) return { kind: 'json', ...sequence.read(redact) };
  if (body.length === 0) return { kind: 'none' };
  const isJson = mediaType === undefined || isJsonType(mediaType);
  // The shortest member takes two bytes.
  const mayBeLarge = isJson && !isForCode && body.length > 2 * MOST_MEMBERS;
  if (mayBeLarge) {
    const decoded = decodeText(wire, mediaType ?? '');
    // In other charsets a byte of a character may look like a quote.
    const isUtf8 = /^(?:utf-?8)?$/i.test(mediaTypeParameter(mediaType ?? '', 'charset') ?? '');
    if (countMembers(isUtf8 ? body : Buffer.from(decoded)) > MOST_MEMBERS)
      return { kind: 'text', text: redact(decoded, wire.truncated), note: TOO_MANY_MEMBERS };
  }
  if (mediaType === undefined) return parseUntypedBody(wire, redact);
  if (isJsonType(mediaType)) return parseJsonOrText(decodeText(wire, mediaType), wire, redact, BROKEN_JSON);
  if (isText(mediaType)) return { kind: 'text', text: redact(decodeText(wire, mediaType), wire.truncated) };
  return { kind: 'bytes', bytes: redactBytes(wire, redact) };
}

const TOO_MANY_MEMBERS = `The answer has more than ${formatCount(MOST_MEMBERS)} members, so it is shown as text.`;

function parseUntypedBody(wire: WireAnswer, redact: Redact): AnswerBody {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(wire.body, { stream: wire.truncated });
    return /^\s*[[{]/.test(text)
      ? parseJsonOrText(text, wire, redact)
      : { kind: 'text', text: redact(text, wire.truncated) };
  } catch {
    return { kind: 'bytes', bytes: redactBytes(wire, redact) };
  }
}

/** Finds secrets in ASCII or UTF-8. */
function redactBytes({ body, truncated }: WireAnswer, redact: Redact): Buffer {
  if (redact === redactNothing) return body;
  const text = body.toString('latin1');
  const shown = redact(text, truncated);
  return shown === text ? body : Buffer.from(shown, 'latin1');
}

/** @param fault describes text that begins like JSON but is not valid */
function parseJsonOrText(source: string, wire: WireAnswer, redact: Redact, fault?: string): AnswerBody {
  const { truncated } = wire;
  const text = redact(source, truncated);
  if (truncated) return parseConcatenatedJson(source, wire, redact) ?? { kind: 'text', text };
  try {
    if (text !== source) return parseRedactedJson(source, text, redact);
    // Only such numbers need more than a double; others are parsed faster.
    if (!/\d{16}|[eE]\+?\d{3}/.test(text)) return { kind: 'json', value: JSON.parse(text) as Json };
    return { kind: 'json', value: readJson(text) as Json, text };
  } catch {
    const several = parseConcatenatedJson(source, wire, redact);
    if (several !== undefined) return several;
    return fault && /^\s*[[{]/.test(text) ? { kind: 'text', text, fault } : { kind: 'text', text };
  }
}

/** Characters shown of what follows the last whole text. */
const MOST_REST = 200;

/** JSON texts that follow each other are a list, and one alone is itself. Undefined where no text is whole. */
function parseConcatenatedJson(source: string, wire: WireAnswer, redact: Redact): AnswerBody | undefined {
  const { texts, rest } = splitWholeTexts(source, wire.truncated);
  const [first] = texts;
  if (first === undefined) return undefined;
  const part = describeReadTexts(texts.length, redact(rest.trim()), wire);
  wire.texts = part === undefined ? {} : { part };
  wire.truncated = part !== undefined;
  const list = texts.length > 1 ? `[${texts.join(',')}]` : first;
  return parseJsonOrText(list, { ...wire, truncated: false }, redact);
}

function describeReadTexts(
  length: number,
  rest: string,
  { truncated, ended }: WireAnswer,
): string | undefined {
  const items = length === 1 ? 'the first JSON text' : `the first ${formatCount(length)} JSON texts`;
  if (ended !== undefined) return describeEarlyEnd(items, { ended });
  if (truncated) return `${items} (API_RESPONSE_BYTES sets how much is read)`;
  if (rest === '') return undefined;
  return `${items}. What follows is no whole JSON: ${truncateText(rest, MOST_REST)}`;
}

function describeEarlyEnd(items: string, { ended }: Pick<WireAnswer, 'ended'>): string | undefined {
  if (ended === 'time') return `${items}, which came in time (API_TIMEOUT_MS sets how long is waited)`;
  return ended && `${items}, which came before the API broke off the connection`;
}

/** Splits off whole JSON texts. If the body was cut off, a last number may be half, so it is rest. */
function splitWholeTexts(source: string, isCut: boolean): { texts: string[]; rest: string } {
  if (!/^\s*[[{"]/.test(source)) return { texts: [], rest: source };
  const reader = new JsonTexts();
  const found = reader.takeCompleteTexts(source);
  if (!isCut && reader.rest !== '') found.push(reader.rest);
  const end = found.findIndex((text) => !isJsonText(text));
  if (end === -1) return { texts: found, rest: isCut ? reader.rest : '' };
  return { texts: found.slice(0, end), rest: found.slice(end).join('') };
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether an answer that did not end in time has a part that can be used. */
export function hasWholeText(body: Buffer): boolean {
  return splitWholeTexts(body.toString('utf8'), true).texts.length > 0;
}

/** Redacts value by value: the text may stop being JSON where a number is replaced. */
function parseRedactedJson(source: string, redacted: string, redact: Redact): AnswerBody {
  const value = redactJson(readJson(source) as Json, redact);
  const text = writeJson(value);
  // A secret with quotes and commas may span several values.
  if (redact(text) !== text) return { kind: 'text', text: redacted };
  return /\d{16}/.test(text) ? { kind: 'json', value, text } : { kind: 'json', value };
}

const BROKEN_JSON =
  'The API calls this JSON, and it is none: it may have been cut short. A call that only reads may be repeated; ' +
  'another one may have taken effect.';

/** A character that is cut off with the rest of the answer is left out. */
function decodeText({ body, truncated: stream }: WireAnswer, mediaType: string): string {
  const charset = mediaTypeParameter(mediaType, 'charset');
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    try {
      return new TextDecoder(charset).decode(body, { stream });
    } catch {
      // Unknown label: fall back to UTF-8.
    }
  }
  const text = stream ? new TextDecoder().decode(body, { stream }) : body.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** JSON loses the ends of its longest texts and lists and stays JSON; text loses its tail. */
export function limitAnswer(answer: UpstreamAnswer, limits: UpstreamLimits): UpstreamAnswer {
  const { body } = answer;
  switch (body.kind) {
    case 'none':
    case 'file':
      return answer;
    case 'json':
      return cutJson(answer, body, limits.resultCharacters);
    case 'text':
      return cutTextAnswer(answer, body.text, limits.resultCharacters);
    case 'bytes': {
      const { byteLength } = body.bytes;
      if (answer.truncated !== true && byteLength <= limits.binaryBytes) return answer;
      const size =
        answer.truncated === true
          ? `it is longer than ${formatCount(limits.responseBytes)} bytes`
          : `it has ${formatCount(byteLength)} bytes, and clients take ${formatCount(limits.binaryBytes)}`;
      // Half an image is useless.
      const cut = cutNote(`nothing of it: ${size}`);
      return { ...answer, body: { kind: 'none' }, truncated: true, cut: `${cut} ${SAVES_FILES}` };
    }
  }
}

const SAVES_FILES = 'A tool saves such answers as files if this server is started with --files <folder>.';

function cutTextAnswer(answer: UpstreamAnswer, text: string, most: number): UpstreamAnswer {
  const { truncated } = answer;
  if (text.length <= most)
    return truncated && answer.cut === undefined
      ? { ...answer, cut: cutNote(`only its first ${formatCount(text.length)} characters`) }
      : answer;
  const shown = truncateText(text, most);
  const cut = `the first ${formatCount(shown.length)} of ${moreThanIfCut(answer)}${formatCount(text.length)} characters`;
  const note = answer.body.kind === 'text' ? answer.body.note : undefined;
  const body = { kind: 'text', text: shown, ...omitUndefined({ note }) } as const;
  return { ...answer, body, truncated: true, cut: cutNote(cut) };
}

function cutJson(
  answer: UpstreamAnswer,
  { value, text }: Extract<AnswerBody, { kind: 'json' }>,
  most: number,
): UpstreamAnswer {
  if (text !== undefined && text.length <= most) return answer;
  const cuts: string[] = [];
  const shorter = shortenValue(value, most, [], {
    cuts,
    whole: moreThanIfCut(answer),
    retries: { left: 32 },
  });
  if (shorter === undefined) return cutTextAnswer(answer, text ?? writeJson(value), most);
  const body = { kind: 'json', value: shorter } as const;
  // Its text may be longer, by decimals that a double does not have.
  if (shorter === value) return text === undefined ? answer : { ...answer, body };
  return { ...answer, body, truncated: true, cut: cutNote(describeCuts(cuts)) };
}

/** Most cuts that a note lists; the others are counted. */
const MOST_CUTS = 5;

function describeCuts(cuts: readonly string[]): string {
  const others = cuts.length - MOST_CUTS;
  return (
    cuts.slice(0, MOST_CUTS).join('; ') +
    (others > 0 ? `; and ${formatCount(others)} more that were cut` : '')
  );
}

interface Cutting {
  cuts: string[];
  /** `more than ` if the API said more than was read. */
  whole: string;
  /** How often a list that can't be shortened may be tried again with its first item alone: at each level, that would double the work. */
  retries: { left: number };
}

const DEEPEST_CUT = 16;

/** Lists keep all their items if each can have so many characters. */
const LEAST_SHARE = 500;

/**
 * Shortens a value to at most so many characters of JSON: the longest parts are cut. Undefined if nothing in
 * it can be.
 */
function shortenValue(
  value: Json,
  most: number,
  path: readonly string[],
  cutting: Cutting,
): Json | undefined {
  if (measureJson(value, most) <= most) return value;
  // Depth is limited, since each level measures what is below it once more.
  if (path.length === DEEPEST_CUT) return undefined;
  if (typeof value === 'string') return shortenText(value, most, path, cutting);
  if (typeof value !== 'object' || value === null) return undefined;
  return Array.isArray(value)
    ? shortenList(value, most, path, cutting)
    : shortenObject(value, most, path, cutting);
}

function shortenText(
  value: string,
  most: number,
  path: readonly string[],
  { cuts, whole }: Cutting,
): string | undefined {
  let shown = truncateText(value, Math.max(0, most - 3));
  // An escaped character takes more than one character of JSON.
  for (let size = writeJson(shown).length; size > most - 1 && shown !== ''; size = writeJson(shown).length)
    shown = truncateText(shown, Math.max(0, Math.floor((shown.length * (most - 1)) / size) - 1));
  if (shown === '') return undefined;
  cuts.push(
    `the first ${formatCount(shown.length)} of ${path.length === 0 ? whole : ''}${formatCount(value.length)} characters${describePath(path)}`,
  );
  return `${shown}…`;
}

/** The characters of a value as JSON; more than `most` where it is longer, which the walk does not see to its end. */
function measureJson(value: Json, most: number): number {
  // A character takes at least one.
  if (typeof value === 'string') return value.length > most ? value.length : JSON.stringify(value).length;
  // `writeJson` throws and catches for each.
  if (typeof value === 'bigint') return String(value).length;
  if (typeof value !== 'object' || value === null) return writeJson(value).length;
  let size = 1;
  for (const name in value) {
    const member = getOwnMember(value as JsonObject, name);
    if (member === undefined) continue;
    if (!Array.isArray(value)) size += JSON.stringify(name).length + 1;
    size += measureJson(member, most - size) + 1;
    if (size > most) return size;
  }
  return Math.max(size, 2);
}

function shortenList(
  value: Json[],
  most: number,
  path: readonly string[],
  cutting: Cutting,
): Json[] | undefined {
  const room = most - value.length - 1;
  // Each item takes a character at least.
  const share =
    room < value.length
      ? 0
      : fairSizeLimit(
          value.map((item) => measureJson(item, room)),
          room,
        );
  const cuts: string[] = [];
  const items =
    share < LEAST_SHARE && value.length > 1
      ? [undefined]
      : value.map((item, at) => shortenValue(item, share, [...path, String(at)], { ...cutting, cuts }));
  if (items.every((item) => item !== undefined)) {
    cutting.cuts.push(...cuts);
    return items;
  }
  const fitting = takeFittingItems(value, most - 2);
  const isTriedAgain = fitting === undefined && value.length > 1 && cutting.retries.left-- > 0;
  const kept = isTriedAgain ? shortenFirst(value, most - 2, path, cutting) : fitting;
  if (kept === undefined) return undefined;
  cutting.cuts.push(
    `the first ${formatCount(kept.length)} of ${cutting.whole}${formatCount(value.length)} items${describePath(path)}`,
  );
  return kept;
}

function shortenFirst(
  [first]: Json[],
  most: number,
  path: readonly string[],
  cutting: Cutting,
): Json[] | undefined {
  const item = first === undefined ? undefined : shortenValue(first, most, [...path, '0'], cutting);
  return item === undefined ? undefined : [item];
}

function shortenObject(
  value: JsonObject,
  most: number,
  path: readonly string[],
  cutting: Cutting,
): JsonObject | undefined {
  const names = memberNames(value);
  const memberOf = (name: string): Json => getOwnMember(value, name) ?? null;
  let room = most - 1;
  if (!names.every((name) => (room -= JSON.stringify(name).length + 2) >= 0))
    return takeFirstMembers(names, memberOf, most, path, cutting);
  const share = fairSizeLimit(
    names.map((name) => measureJson(memberOf(name), room)),
    room,
  );
  const shorter: JsonObject = {};
  const cuts: string[] = [];
  for (const name of names) {
    const short = shortenValue(memberOf(name), share, [...path, name], { ...cutting, cuts });
    if (short === undefined) return takeFirstMembers(names, memberOf, most, path, cutting);
    setOwnMember(shorter, name, short);
  }
  cutting.cuts.push(...cuts);
  return shorter;
}

/** Keeps the first members that fit, for example of a map with many short members. */
function takeFirstMembers(
  names: readonly string[],
  memberOf: (name: string) => Json,
  most: number,
  path: readonly string[],
  { cuts, whole }: Cutting,
): JsonObject | undefined {
  let left = most - 2;
  const end = names.findIndex(
    (name) => (left -= JSON.stringify(name).length + measureJson(memberOf(name), left) + 2) < 0,
  );
  if (end <= 0) return undefined;
  cuts.push(
    `the first ${formatCount(end)} of ${whole}${formatCount(names.length)} members${describePath(path)}`,
  );
  return Object.fromEntries(names.slice(0, end).map((name) => [name, memberOf(name)]));
}

/** Returns the size that each may have for all to fit; smaller ones leave their rest to the others. */
function fairSizeLimit(sizes: readonly number[], most: number): number {
  let left = most;
  const rising = [...sizes].sort((a, b) => a - b);
  for (const [at, size] of rising.entries()) {
    const share = Math.floor(left / (rising.length - at));
    if (size > share) return share;
    left -= size;
  }
  return most;
}

function describePath(path: readonly string[]): string {
  return path.length === 0 ? '' : ` of "${path.join('.')}"`;
}

/** Takes the first items within so many characters; undefined if none fits. */
function takeFittingItems(list: Json[], most: number): Json[] | undefined {
  let left = most;
  const end = list.findIndex((item) => (left -= measureJson(item, left) + 1) < 0);
  return end === 0 || list.length === 0 ? undefined : list.slice(0, end === -1 ? list.length : end);
}

function moreThanIfCut({ truncated }: UpstreamAnswer): string {
  return truncated ? 'more than ' : '';
}

function cutNote(shown: string): string {
  return `The answer is too long and was cut. Shown: ${shown}.`;
}

function formatCount(number: number): string {
  return number.toLocaleString('en-US');
}

export function truncateText(text: string, most: number): string {
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(most));
  return text.slice(0, isHalf ? most - 1 : most);
}

// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Texts and numbers that are valid by `format`, `pattern`, `contentEncoding`, lengths and bounds. */
import { commonFormats } from '../schema/formats.ts';
import { matchesPattern } from '../schema/run.ts';
import {
  type MergedConstraints,
  strictestLimit,
  listKeywordTexts,
  sampleLimits,
} from './merged-constraints.ts';
import { sampleFromPattern } from './pattern.ts';
import { isMultiple } from '../contract/json-value.ts';

interface Demands {
  /** Code points, as JSON Schema counts. */
  minLength: number;
  maxLength: number;
  patterns: string[];
  formats: string[];
  base64: boolean;
}

export function isTextAllowed(facts: MergedConstraints, text: string): boolean {
  return satisfiesTextConstraints(mergeTextConstraints(facts), text);
}

export function sampleText(
  facts: MergedConstraints,
  nth: number,
  formats = listKeywordTexts(facts, 'format'),
): string | undefined {
  const demands = { ...mergeTextConstraints(facts), formats };
  if (demands.minLength > sampleLimits.size) return undefined;
  const fits = (text: string): boolean => satisfiesTextConstraints(demands, text);
  for (const candidate of listCandidateTexts(demands, nth)) if (fits(candidate)) return candidate;
  for (const pattern of demands.patterns) {
    const found = sampleFromPattern(pattern, { ...demands, nth, fits });
    if (found !== undefined) return found;
  }
  // A format that contradicts the other keywords is the weaker one: by default it only annotates.
  return formats.length === 0 ? undefined : sampleText(facts, nth, []);
}

function mergeTextConstraints(facts: MergedConstraints): Demands {
  return {
    minLength: Math.max(0, strictestLimit(facts, 'minLength', Math.max) ?? 0),
    maxLength: strictestLimit(facts, 'maxLength', Math.min) ?? Infinity,
    patterns: listKeywordTexts(facts, 'pattern'),
    formats: listKeywordTexts(facts, 'format'),
    base64: listKeywordTexts(facts, 'contentEncoding').some((encoding) => /^base64(?:url)?$/i.test(encoding)),
  };
}

function satisfiesTextConstraints(
  { minLength, maxLength, patterns, formats, base64 }: Demands,
  text: string,
): boolean {
  const length = minLength === 0 && text.length <= maxLength ? text.length : [...text].length;
  return (
    length >= minLength &&
    length <= maxLength &&
    patterns.every((pattern) => matchesPattern(pattern, text)) &&
    formats.every(
      (format) => !Object.hasOwn(commonFormats, format) || commonFormats[format]?.(text) === true,
    ) &&
    (!base64 || /^(?:[A-Za-z0-9+/_-]{4})*(?:[A-Za-z0-9+/_-]{2}(?:==)?|[A-Za-z0-9+/_-]{3}=?)?$/.test(text))
  );
}

function listCandidateTexts({ minLength, maxLength, formats, base64 }: Demands, nth: number): string[] {
  const ofFormats = formats.flatMap(
    (format) => makeFormatSample(format, { minLength, maxLength, nth }) ?? [],
  );
  if (base64) return [...ofFormats, sampleBase64(minLength, maxLength, nth)];
  return [...ofFormats, sampleWord(minLength, maxLength, nth)];
}

function sampleBase64(minLength: number, maxLength: number, nth: number): string {
  const bytes = Math.max(Math.ceil(minLength / 4) * 3, maxLength < 8 ? Math.floor(maxLength / 4) * 3 : 6);
  return btoa(sampleWord(bytes, bytes, nth));
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Short texts are letters. */
export function sampleWord(minLength: number, maxLength: number, nth: number): string {
  const suffix = nth === 0 ? '' : String(nth + 1);
  const plain = `sample${suffix}`;
  if (plain.length >= minLength && plain.length <= maxLength) return plain;
  if (plain.length < minLength) return `sample${'x'.repeat(minLength - plain.length)}${suffix}`;
  let text = '';
  for (let rest = nth; text.length < maxLength; rest = Math.floor(rest / letters.length)) {
    text = letters.charAt(rest % letters.length) + text;
  }
  return text;
}

interface Bounds {
  low: number;
  high: number;
  divisors: number[];
  fits: (value: number) => boolean;
}

export function isNumberAllowed(facts: MergedConstraints, value: number): boolean {
  return mergeBounds(facts, false).fits(value);
}

/** Counts from 1 where that is allowed, else from the least, else from the greatest. */
export function sampleNumber(facts: MergedConstraints, integer: boolean, nth: number): number | undefined {
  const bounds = mergeBounds(facts, integer);
  return listNumberSequences(bounds, integer)
    .map((start) => start(nth))
    .find(bounds.fits);
}

function mergeBounds(facts: MergedConstraints, integer: boolean): Bounds {
  const { max, min } = Math;
  const [least, above] = [
    strictestLimit(facts, 'minimum', max),
    strictestLimit(facts, 'exclusiveMinimum', max),
  ];
  const [greatest, below] = [
    strictestLimit(facts, 'maximum', min),
    strictestLimit(facts, 'exclusiveMaximum', min),
  ];
  const divisors = facts.parts
    .map(({ multipleOf }) => multipleOf)
    .filter((one): one is number => typeof one === 'number' && one > 0);
  return {
    low: max(least ?? -Infinity, above ?? -Infinity),
    high: min(greatest ?? Infinity, below ?? Infinity),
    divisors,
    fits: (value) =>
      Number.isFinite(value) &&
      (!integer || Number.isInteger(value)) &&
      value >= (least ?? -Infinity) &&
      value <= (greatest ?? Infinity) &&
      value > (above ?? -Infinity) &&
      value < (below ?? Infinity) &&
      divisors.every((divisor) => isMultiple(value, divisor)),
  };
}

function listNumberSequences({ low, high, divisors }: Bounds, integer: boolean): ((nth: number) => number)[] {
  const divisor = commonMultiple(integer ? [...divisors, 1] : divisors);
  const step = divisor ?? 1;
  const countFrom = (start: number, direction: 1 | -1) => (nth: number) =>
    multiplyExactly(start + direction * nth, step);
  const [bottom, top] = [Math.ceil(low / step), Math.floor(high / step)];
  const splitInterval = (nth: number): number => low + ((high - low) * (nth + 1)) / (nth + 2);
  const halves = [(nth: number) => low + nth * 0.5, (nth: number) => high - nth * 0.5];
  const fractions = divisor === undefined ? [splitInterval, ...halves] : [];
  return [
    countFrom(divisor === undefined ? 1 : Math.max(1, Math.ceil(1 / step)), 1),
    countFrom(bottom, 1),
    countFrom(bottom + 1, 1),
    countFrom(top, -1),
    countFrom(top - 1, -1),
    ...fractions,
    (nth) => (nth === 0 ? 0 : Number.NaN),
  ];
}

function commonMultiple(divisors: number[]): number | undefined {
  const [first, ...others] = divisors;
  if (first === undefined) return undefined;
  return others.reduce((known, divisor) => {
    for (let factor = 1; factor <= 1_000; factor++) {
      const candidate = multiplyExactly(factor, known);
      if (isMultiple(candidate, divisor)) return candidate;
    }
    return known;
  }, first);
}

/** A product as decimal arithmetic would give it: 3 × 0.1 is 0.3. */
function multiplyExactly(count: number, step: number): number {
  const product = count * step;
  return Number.isInteger(product) ? product : Number(product.toPrecision(15));
}

// The well-known formats are those of JSON Schema and of OpenAPI's format registry.

export interface FormatDemands {
  minLength: number;
  maxLength: number;
  nth: number;
}

/** `short` asks for a text of at most 12 code units. */
type Maker = (nth: number, padding: string, short: boolean) => string;

const sampleUrl: Maker = (nth, padding, short) =>
  short ? `urn:a:${nth}` : `https://example.com/${padding}${nth === 0 && padding === '' ? '' : nth}`;
const sampleEmail: Maker = (nth, padding, short) =>
  short ? `a${nth}@b.co` : `sample${padding}${nth === 0 ? '' : nth + 1}@example.com`;
const sampleHostname: Maker = (nth, padding, short) =>
  short ? `a${nth}.co` : `${nth === 0 && padding === '' ? '' : `${padding.slice(0, 50)}${nth}.`}example.com`;
const sampleWholeNumber: Maker = (nth) => String(nth + 1);
const sampleDecimal: Maker = (nth) => `${nth + 1}.5`;
const samplePath: Maker = (nth, padding) => `/sample${padding}${nth === 0 ? '' : nth + 1}`;
const sampleDate = (nth: number): string => new Date(Date.UTC(2025, 0, 15 + nth)).toISOString().slice(0, 10);

const makers: Readonly<Record<string, Maker>> = {
  date: sampleDate,
  'date-time': (nth) => `${sampleDate(nth)}T09:30:00Z`,
  'date-time-local': (nth) => `${sampleDate(nth)}T09:30:00`,
  'http-date': (nth) => new Date(Date.UTC(2025, 0, 15 + nth, 9, 30)).toUTCString(),
  time: (nth) => `09:${padTwoDigits(30 + (nth % 30))}:00Z`,
  'time-local': (nth) => `09:${padTwoDigits(30 + (nth % 30))}:00`,
  duration: (nth) => `P${nth + 1}D`,
  email: sampleEmail,
  'idn-email': sampleEmail,
  hostname: sampleHostname,
  'idn-hostname': sampleHostname,
  ipv4: (nth) => `192.0.2.${(nth % 250) + 1}`,
  ipv6: (nth) => `2001:db8::${((nth % 0xffff) + 1).toString(16)}`,
  uri: sampleUrl,
  url: sampleUrl,
  iri: sampleUrl,
  'uri-reference': samplePath,
  'iri-reference': samplePath,
  'uri-template': (nth) => `/samples/{id}${nth === 0 ? '' : nth + 1}`,
  uuid: (nth) => `123e4567-e89b-42d3-a456-${(0x4266_1417_4000 + nth).toString(16).padStart(12, '0')}`,
  'json-pointer': (nth) => `/sample${nth === 0 ? '' : nth + 1}`,
  'relative-json-pointer': (nth) => String(nth),
  regex: (nth) => `^sample${nth === 0 ? '' : nth + 1}$`,
  byte: (nth) => btoa(`sample${nth === 0 ? '' : nth + 1}`),
  base64url: (nth) => btoa(`sample${nth === 0 ? '' : nth + 1}`).replaceAll('=', ''),
  int8: (nth) => String((nth % 120) + 1),
  int16: sampleWholeNumber,
  int32: sampleWholeNumber,
  int64: sampleWholeNumber,
  uint8: (nth) => String((nth % 250) + 1),
  uint16: sampleWholeNumber,
  uint32: sampleWholeNumber,
  uint64: sampleWholeNumber,
  decimal: sampleDecimal,
  decimal128: sampleDecimal,
  float: sampleDecimal,
  double: sampleDecimal,
  char: (nth) => String.fromCharCode(97 + (nth % 26)),
};

/** Makes the text longer or shorter where the format has room; undefined for an unknown format. */
export function makeFormatSample(
  format: string,
  { minLength, maxLength, nth }: FormatDemands,
): string | undefined {
  if (!Object.hasOwn(makers, format)) return undefined;
  const maker = makers[format];
  const text = maker?.(nth, '', false);
  if (text === undefined || text.length > maxLength) return maker?.(nth, '', true);
  return text.length < minLength ? maker?.(nth, 'x'.repeat(minLength - text.length), false) : text;
}

function padTwoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

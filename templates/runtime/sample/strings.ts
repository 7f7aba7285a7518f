/** Texts that keep to `format`, `pattern`, `contentEncoding` and lengths. */
import type { JsonSchemaObject } from '../contract/json-schema.ts';
import { commonFormats } from '../schema/formats.ts';
import { matchesPattern } from '../schema/run.ts';
import { type Facts, strictest, textsOf } from './facts.ts';
import { formatSample } from './format-samples.ts';
import { sampleLimits } from './limits.ts';
import { sampleOfPattern } from './pattern.ts';

interface Demands {
  /** Code points, as JSON Schema counts. */
  minLength: number;
  maxLength: number;
  patterns: string[];
  formats: string[];
  base64: boolean;
}

/** Whether a text keeps to what the facts say of texts; a format counts where it is well known. */
export function fitsText(facts: Facts, text: string): boolean {
  return satisfies(demandsOf(facts), text);
}

/** The `nth` text that fits; undefined when none was found. */
export function sampleText(facts: Facts, nth: number): string | undefined {
  const demands = demandsOf(facts);
  if (demands.minLength > sampleLimits.size) return undefined;
  const fits = (text: string): boolean => satisfies(demands, text);
  for (const candidate of candidates(demands, nth)) if (fits(candidate)) return candidate;
  for (const pattern of demands.patterns) {
    const found = sampleOfPattern(pattern, { ...demands, nth, fits });
    if (found !== undefined) return found;
  }
  // A format that contradicts the other keywords is the weaker one: by default it only annotates.
  return demands.formats.length === 0 ? undefined : sampleText(withoutFormat(facts), nth);
}

function demandsOf(facts: Facts): Demands {
  return {
    minLength: Math.max(0, strictest(facts, 'minLength', Math.max) ?? 0),
    maxLength: strictest(facts, 'maxLength', Math.min) ?? Infinity,
    patterns: textsOf(facts, 'pattern'),
    formats: textsOf(facts, 'format'),
    base64: textsOf(facts, 'contentEncoding').some((encoding) => /^base64(?:url)?$/i.test(encoding)),
  };
}

function withoutFormat(facts: Facts): Facts {
  return { ...facts, parts: facts.parts.map((part) => omitted(part, 'format')) };
}

function omitted(part: JsonSchemaObject, keyword: string): JsonSchemaObject {
  return Object.fromEntries(Object.entries(part).filter(([name]) => name !== keyword));
}

function satisfies({ minLength, maxLength, patterns, formats, base64 }: Demands, text: string): boolean {
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

function candidates({ minLength, maxLength, formats, base64 }: Demands, nth: number): string[] {
  const ofFormats = formats.flatMap((format) => formatSample(format, { minLength, maxLength, nth }) ?? []);
  if (base64) return [...ofFormats, base64Text(minLength, maxLength, nth)];
  return [...ofFormats, word(minLength, maxLength, nth)];
}

/** Base64 of a word, in groups of four characters. */
function base64Text(minLength: number, maxLength: number, nth: number): string {
  const bytes = Math.max(Math.ceil(minLength / 4) * 3, maxLength < 8 ? Math.floor(maxLength / 4) * 3 : 6);
  return btoa(word(bytes, bytes, nth));
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** A text of the wanted length: `sample`, `sample2`, …; short ones are letters. */
export function word(minLength: number, maxLength: number, nth: number): string {
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

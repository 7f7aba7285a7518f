import { isAscii, normalizeLetters } from '../../model/letters.ts';
import { operationKey } from '../../model/operation-key.ts';
import type { Operation } from '../../model/source-model.ts';
import { plainLine, plainText, trimText } from './plain-text.ts';

const longestTitle = 120;
/** A summary that appears later in a description is no repetition. */
const mostCompared = 1000;

export interface ToolText {
  title: string;
  description: string;
}

/**
 * Title: `x-mcp.title` › summary › the words of `operationId` › method and path.
 * Description: `x-mcp.description` › summary and description; with deprecation and `notes` inside the budget.
 */
export function deriveToolText(operation: Operation, notes: readonly string[], budget: number): ToolText {
  return { title: deriveTitle(operation), description: describe(operation, notes, budget) };
}

function deriveTitle(operation: Operation): string {
  const { xMcp, summary, operationId } = operation;
  const given = plainLine(xMcp?.title ?? '');
  const words = given || withoutStop(plainLine(summary ?? '') || toSentence(operationId ?? ''));
  return trimText(words || operationKey(operation), longestTitle);
}

/** Summaries often end with a full stop. */
function withoutStop(words: string): string {
  return words.replace(/(?<!\.)\.$/, '');
}

function describe(operation: Operation, notes: readonly string[], budget: number): string {
  const before = operation.deprecated === true ? 'Deprecated. ' : '';
  const after = notes.length === 0 ? '' : `\n\n${notes.join('\n')}`;
  const room = Math.max(budget - before.length - after.length, Math.min(budget, 80));
  return trimText(before + trimText(toolWords(operation), room) + after, budget);
}

export function toolWords(operation: Operation): string {
  const own = plainText(operation.xMcp?.description ?? '');
  if (own !== '') return own;
  const summary = plainLine(operation.summary ?? '');
  const description = plainText(operation.description ?? '');
  if (description === '') return summary || operationKey(operation);
  return summary === '' || saysAlready(description, summary) ? description : `${summary}\n\n${description}`;
}

function saysAlready(description: string, summary: string): boolean {
  return comparable(description.slice(0, mostCompared)).includes(comparable(summary));
}

function comparable(text: string): string {
  return normalizeLetters(text, ' ').trim();
}

interface Boundaries {
  /** `userRepos` */
  hump: RegExp;
  /** `APIKey` */
  acronym: RegExp;
  separator: RegExp;
}

// Unicode properties are slow, and most identifiers are ASCII.
const inAscii: Boundaries = {
  hump: /([a-z0-9])([A-Z])/g,
  acronym: /([A-Z])([A-Z][a-z])/g,
  separator: /[^A-Za-z0-9]+/,
};
const inUnicode: Boundaries = {
  hump: /(\p{Ll}|\p{N})(\p{Lu})/gu,
  acronym: /(\p{Lu})(\p{Lu}\p{Ll})/gu,
  separator: /[^\p{L}\p{N}]+/u,
};

/** Splits an identifier, case kept: `listUserRepos`, `list-user_repos` and `list/user repos` alike. */
export function splitWords(identifier: string): string[] {
  const { hump, acronym, separator } = isAscii(identifier) ? inAscii : inUnicode;
  return identifier
    .replace(hump, '$1 $2')
    .replace(acronym, '$1 $2')
    .split(separator)
    .filter((word) => word !== '');
}

/** `listUserRepos` → `List user repos`; words in capitals (`API`) stay. */
export function toSentence(identifier: string): string {
  const words = splitWords(identifier).map((word) => (isAcronym(word) ? word : word.toLowerCase()));
  const [first, ...rest] = words;
  return first === undefined ? '' : [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ');
}

function isAcronym(word: string): boolean {
  return word.length > 1 && word === word.toUpperCase();
}

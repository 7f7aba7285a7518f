import type { JsonSchema } from '../../util/json-schema.ts';
import { stripMarkdown } from '../../model/clean-prose.ts';
import { normalizeLetters } from '../../model/letters.ts';
import { operationKey } from '../../model/operation-key.ts';
import type { Operation } from '../../model/source-model.ts';
import { htmlToPlainLine, htmlToPlainText, htmlToTitle, trimText } from './plain-text.ts';
import { type Kept, describeOperationFact } from './tool-facts.ts';

const longestTitle = 120;

export interface ToolText {
  title: string;
  description: string;
}

interface Described {
  /** The tool's name. */
  name: string;
  /** The shared schemas of the source. */
  schemas: Readonly<Record<string, JsonSchema>>;
  /** See `listNeeds`. */
  needs: readonly string[];
  /** The part of the answer that is kept. Default: the whole answer. */
  answerRules?: Kept | undefined;
}

/**
 * Title: `x-mcp.title` › summary › the words of `operationId` › method and path.
 * Description: `describeOperation`; with deprecation and `notes` inside the budget.
 */
export function deriveToolText(
  operation: Operation,
  { notes, budget, ...described }: Described & { notes: readonly string[]; budget: number },
): ToolText {
  const before = operation.deprecated === true ? 'Deprecated. ' : '';
  const after = notes.length === 0 ? '' : `\n\n${notes.join('\n')}`;
  const room = Math.max(budget - before.length - after.length, Math.min(budget, 80));
  const words = trimText(describeOperation(operation, described), room);
  return { title: deriveTitle(operation), description: trimText(before + words + after, budget) };
}

function deriveTitle(operation: Operation): string {
  const { xMcp, summary, operationId } = operation;
  const title = htmlToTitle(xMcp?.title ?? '');
  // Summaries often end with a full stop.
  const words =
    title || (htmlToTitle(summary ?? '') || toSentenceCase(operationId ?? '')).replace(/(?<!\.)\.$/, '');
  return trimText(words || operationKey(operation), longestTitle);
}

/**
 * Describes an operation to a model: `x-mcp.description`, else the summary and what the description adds. Words that
 * only repeat the title or the name get a fact.
 */
export function describeOperation(
  operation: Operation,
  { name, schemas, needs, answerRules }: Described,
): string {
  const { xMcp, summary = '', description = '' } = operation;
  const words =
    htmlToPlainText(xMcp?.description ?? '') ||
    joinSummaryAndDescription(htmlToPlainLine(summary), htmlToPlainText(description));
  return addFactIfUseful(words, [deriveTitle(operation), name], () =>
    describeOperationFact(operation, needs, schemas, answerRules),
  );
}

/** `known`: the tool's title, which stands for missing words, and its name. */
export function addFactIfUseful(
  text: string,
  knownTexts: readonly [string, string],
  makeFact: () => string,
): string {
  const letters = normalizeLetters(stripMarkdown(text));
  const isRepeated = knownTexts.some((each) => normalizeLetters(each) === letters);
  if (text !== '' && !isRepeated) return text;
  const begin = text || knownTexts[0];
  return `${begin}${/[.!?…]$/.test(begin) ? '' : '.'} ${makeFact()}`;
}

/** Begins with the summary, and leaves out what was said before. */
function joinSummaryAndDescription(summary: string, description: string): string {
  const [first, rest] = [normalizeForComparison(summary), normalizeForComparison(description)];
  if (rest === '' || ` ${first} `.includes(` ${rest} `)) return summary || description;
  if (first === '' || `${rest} `.startsWith(`${first} `)) return removeRepeats(description, new Set());
  const added = removeRepeats(description, new Set([first]));
  return added === '' ? summary : `${summary}\n\n${added}`;
}

/** Fewest words of a phrase that counts as repeated; shorter ones may be items of a list. */
const FEWEST_WORDS = 3;

/** Removes sentences and lines that stood earlier in the text; text with code stays as it is. */
function removeRepeats(text: string, seen: Set<string>): string {
  if (text.includes('```')) return text;
  const parts = text.split(/(?<=[.!?])(?=\s)|(?<=\n)/).filter((part) => {
    const sentence = normalizeForComparison(part);
    if (seen.has(sentence)) return false;
    if (sentence.split(' ', FEWEST_WORDS).length === FEWEST_WORDS) seen.add(sentence);
    return true;
  });
  return parts
    .join('')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function normalizeForComparison(text: string): string {
  return normalizeLetters(text, ' ').trim();
}

/** Splits an identifier, case kept: `listUserRepos`, `list-user_repos` and `list/user repos` alike. */
export function splitWords(identifier: string): string[] {
  return identifier
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** `listUserRepos` → `List user repos`; words in capitals (`API`) stay. */
export function toSentenceCase(identifier: string): string {
  const nameWords = splitWords(identifier).map((word) =>
    word.length > 1 && word === word.toUpperCase() ? word : word.toLowerCase(),
  );
  const [first, ...rest] = nameWords;
  return first === undefined ? '' : [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ');
}

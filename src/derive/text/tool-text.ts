import { lettersOf } from '../../model/letters.ts';
import type { Operation } from '../../model/source-model.ts';
import { operationKey } from '../operation-key.ts';
import { plainLine, plainText } from '../plain-text.ts';
import { trimText } from './trim-text.ts';
import { sentenceOf } from './words.ts';

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
  const words = given || withoutStop(plainLine(summary ?? '') || sentenceOf(operationId ?? ''));
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

/** The operation's whole description, before it is cut and notes are added. */
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
  return lettersOf(text, ' ').trim();
}

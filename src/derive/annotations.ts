/**
 * Derives what a client may assume about a tool before it asks a person. All four hints are stated, since directories
 * refuse tools that leave one to the protocol's default.
 */
import { type ToolAnnotations, fillInHints } from '../../templates/runtime/contract/json-schema.ts';
import type { AnnotationsMode } from '../config/options/sources.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { operationKey } from '../model/operation-key.ts';
import type { Origin } from '../model/origin.ts';
import type { Operation } from '../model/source-model.ts';
import { splitWords } from './text/tool-text.ts';

/** Words that decide the hints where the method does not. */
export const HINT_WORDS = {
  /** An operation that has such a word anywhere changes something, and maybe beyond repair. */
  destructive: wordSet(
    'delete remove purge clear reset revoke cancel terminate send archive merge transfer destroy drop erase wipe truncate',
  ),
  /** A POST that begins with such a word adds something, and changes nothing that was there. */
  additive: wordSet('create add new register upload'),
  /** A POST whose operation begins with such a word is not destructive. */
  asking: wordSet('search list query validate'),
  /** Words that make such a POST change what was there: `createOrUpdate`. */
  changing: wordSet('update replace overwrite upsert'),
  /** These destructive words name things too: a GET whose verb reads only reads such a thing. */
  nouns: wordSet('archive merge transfer'),
  /** A GET whose operation begins with such a word changes something all the same. */
  writing: wordSet(
    'create add insert update replace set save move rename restore start stop restart reboot shutdown kill activate ' +
      'deactivate enable disable lock unlock approve reject trigger invalidate refresh reload unsubscribe logout',
  ),
  reading: wordSet(
    'get list read fetch find retrieve show describe check download view search query count lookup',
  ),
};

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY']);
const IDEMPOTENT = new Set(['PUT', 'DELETE', 'TRACE']);

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** `overrides` are those of the API; those of the operation win. */
export function deriveAnnotations(
  operation: Operation,
  mode: AnnotationsMode,
  overrides: ToolAnnotations | undefined,
): ReturnType<typeof fillInHints> {
  const method = operation.method.toUpperCase();
  const isSafe = SAFE.has(method);
  const hints = { ...overrides, ...operation.xMcp?.annotations };
  const word = findDestructiveWord(operation);
  const { readOnlyHint = isSafe && word === undefined } = hints;
  return fillInHintsFor(mode, {
    readOnlyHint,
    destructiveHint: !readOnlyHint && isDestructive(operation, method, word),
    idempotentHint: isSafe || IDEMPOTENT.has(method),
    ...hints,
  });
}

/** With `chatgpt`, only a tool that changes something has an open world. */
export function fillInHintsFor(mode: AnnotationsMode, said: ToolAnnotations): ReturnType<typeof fillInHints> {
  const hints = fillInHints(said);
  return said.openWorldHint === undefined && mode === 'chatgpt'
    ? { ...hints, openWorldHint: !hints.readOnlyHint }
    : hints;
}

/** Reports a tool that says it only reads and also destroys; clients follow only the second hint. */
export function reportContradictoryHints(
  tool: string,
  { readOnlyHint, destructiveHint }: ToolAnnotations,
  at: Origin | undefined,
  diagnostics: DiagnosticCollector,
): void {
  if (readOnlyHint !== true || destructiveHint !== true) return;
  const parameters = { tool, reads: '`readOnlyHint: true`', destroys: '`destructiveHint: true`' };
  diagnostics.report('hints-contradict', parameters, { at });
}

/** Reports hints that contradict each other, and a safe method that its own words contradict, unless the document decides. */
export function reportDoubtfulHints(
  operation: Operation,
  overrides: ToolAnnotations | undefined,
  diagnostics: DiagnosticCollector,
): void {
  const hints = { ...overrides, ...operation.xMcp?.annotations };
  reportContradictoryHints(`\`${operationKey(operation)}\``, hints, operation.origin, diagnostics);
  const word = SAFE.has(operation.method.toUpperCase()) ? findDestructiveWord(operation) : undefined;
  if (hints.readOnlyHint !== undefined || word === undefined) return;
  diagnostics.report('not-read-only', { operation: operationKey(operation), word }, { at: operation.origin });
}

function isDestructive(operation: Operation, method: string, word: string | undefined): boolean {
  if (method === 'TRACE') return false;
  if (method !== 'POST' || word !== undefined) return true;
  if (wordsOfOperation(operation).some((word) => HINT_WORDS.changing.has(word))) return true;
  const verb = findOperationVerb(operation);
  const isAdditive = HINT_WORDS.additive.has(verb) || HINT_WORDS.asking.has(verb);
  return !isAdditive && !operation.responses.some(({ status }) => status === '201');
}

function findDestructiveWord(
  operation: Pick<Operation, 'method' | 'operationId' | 'path'>,
): string | undefined {
  const isSafe = SAFE.has(operation.method.toUpperCase());
  const verb = findOperationVerb(operation);
  const isReading = isSafe && HINT_WORDS.reading.has(verb);
  const word = wordsOfOperation(operation).find(
    (word) => HINT_WORDS.destructive.has(word) && !(isReading && HINT_WORDS.nouns.has(word)),
  );
  return word ?? (isSafe && HINT_WORDS.writing.has(verb) ? verb : undefined);
}

/** Lists the words of an operation. Variables of the path name values, so they are left out. */
function wordsOfOperation({ operationId = '', path }: Pick<Operation, 'operationId' | 'path'>): string[] {
  return [...splitWords(operationId), ...splitWords(path.replace(/\{[^{}]*\}/g, ' '))].map(toLowerCase);
}

/** Finds the verb of an operationId behind its groups (`repos/create`, `Pets_Create`), else of the path. */
function findOperationVerb({ operationId, path }: Pick<Operation, 'operationId' | 'path'>): string {
  const literals = path.split(/[/:]/).filter((part) => part !== '' && !part.startsWith('{'));
  const groups = operationId === undefined ? literals : splitId(operationId);
  return splitWords(groups.at(-1) ?? '').map(toLowerCase)[0] ?? '';
}

function splitId(operationId: string): string[] {
  const [group = '', ...moreWords] = operationId.split(/[/.:]/);
  return [...(/^[A-Z]\w*$/.test(group) ? group.split(/_(?=[A-Z])/) : [group]), ...moreWords];
}

function toLowerCase(word: string): string {
  return word.toLowerCase();
}

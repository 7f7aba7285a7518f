/**
 * Derives what a client may assume about a tool before it asks a person. All four hints are stated, since directories
 * refuse tools that leave one to the protocol's default.
 */
import { type ToolAnnotations, fillInHints } from '../model/listed-items.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { operationKey } from '../model/operation-key.ts';
import type { Origin } from '../model/origin.ts';
import type { Operation } from '../model/source-model.ts';
import { splitWords } from './text/tool-text.ts';

/** Words that decide the hints where the method does not. */
export const HINT_WORDS = {
  /** A POST, PUT or PATCH that has such a word anywhere changes something, and maybe beyond repair. */
  destructive: wordSet(
    'delete remove purge clear reset revoke cancel terminate send archive merge transfer destroy drop erase wipe truncate',
  ),
  /** A POST with such a verb adds something, and changes nothing that was there. */
  additive: wordSet('create add new register upload'),
  /** A POST with such a verb is not destructive. */
  asking: wordSet('get read count filter find fetch list query search lookup preview validate check'),
  /** Words that make such a POST change what was there: `createOrUpdate`. */
  changing: wordSet('update replace overwrite upsert restore'),
  /** Things as well as verbs: such a word counts only as the verb of an operationId, or where nothing else is said. */
  nouns: wordSet(
    'archive merge transfer add insert move refresh release reload replace run save set start stop trigger update ' +
      'lock deploy install upgrade',
  ),
  /** A GET with such a verb changes something all the same. */
  writing: wordSet(
    'create add insert update replace set save move rename restore start stop restart reboot shutdown kill activate ' +
      'deactivate enable disable lock unlock approve reject trigger invalidate refresh reload unsubscribe logout run ' +
      'execute accept allocate assign associate attach authorize detach disassociate modify release put ' +
      'confirm deploy dismiss flush install pause publish rebuild regenerate reindex resume retry rollback rotate ' +
      'submit subscribe toggle uninstall unpublish upgrade',
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
  overrides: ToolAnnotations | undefined,
): ReturnType<typeof fillInHints> {
  const method = operation.method.toUpperCase();
  const isSafe = SAFE.has(method);
  const hints = { ...overrides, ...operation.xMcp?.annotations };
  const word = findDestructiveWord(operation);
  const { readOnlyHint = isSafe && word === undefined } = hints;
  return fillInHints({
    readOnlyHint,
    destructiveHint: !readOnlyHint && isDestructive(operation, method, word),
    idempotentHint: isSafe || IDEMPOTENT.has(method),
    ...hints,
  });
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
  const isMild = listVerbs(operation).some(
    (verb) => HINT_WORDS.additive.has(verb) || HINT_WORDS.asking.has(verb),
  );
  return !isMild && !operation.responses.some(({ status }) => status === '201');
}

/** The word by which an operation changes something, whatever its method says. */
function findDestructiveWord(operation: Operation): string | undefined {
  if (SAFE.has(operation.method.toUpperCase())) return findWritingWord(operation);
  const isAsking = listVerbs(operation).some((verb) => HINT_WORDS.asking.has(verb));
  return wordsOfOperation(operation).find(
    (word) => HINT_WORDS.destructive.has(word) && !(isAsking && HINT_WORDS.nouns.has(word)),
  );
}

/** The verbs of a POST: of its operationId, of its path unless the operationId says something else, and of its summary. */
function listVerbs(operation: Operation): string[] {
  const { operationId, summary = '' } = operation;
  const idVerb = findIdVerb(operation);
  const pathVerb = findPathVerb(operation);
  const isOfId = operationId === undefined || splitWords(operationId).map(toLowerCase).includes(pathVerb);
  const summaryWords = splitWords(summary).map(toLowerCase);
  const changes = summaryWords.some(
    (word) => HINT_WORDS.changing.has(word) || HINT_WORDS.destructive.has(word),
  );
  const saysMethod = operationId === undefined || idVerb === 'post';
  const summaryVerb = (summaryWords[0] ?? '').replace(/s$/, '');
  return [
    idVerb,
    ...(isOfId ? [pathVerb] : []),
    ...(saysMethod && !changes && !isCheckIn(summaryVerb, summary) ? [summaryVerb] : []),
  ];
}

/**
 * Finds the word by which an operation writes although its method only reads. A verb stands first in an operationId, in the last segment of a path or in a summary; the
 * same word elsewhere names a thing (`listDeleteJobs`). The `get` of an operationId repeats the method: `getCookiesDelete`.
 */
function findWritingWord(operation: Operation): string | undefined {
  const { operationId, summary = '', parameters } = operation;
  const isWriting = (word: string): boolean =>
    HINT_WORDS.destructive.has(word) || HINT_WORDS.writing.has(word);
  const idVerb = findIdVerb(operation);
  if (isWriting(idVerb)) return idVerb;
  if (HINT_WORDS.reading.has(idVerb) && idVerb !== 'get') return undefined;
  const action = parameters.find(({ name }) => /^(?:method|action)$/i.test(name))?.schema;
  const actions = typeof action === 'object' && Array.isArray(action.enum) ? action.enum : [];
  // `user.create`
  const actionVerb = actions.map((value) => firstWord(String(value).replace(/.*[./:]/, ''))).find(isWriting);
  if (actionVerb !== undefined) return actionVerb;
  const summaryVerb = firstWord(summary).replace(/s$/, '');
  const pathVerb = findPathVerb(operation);
  const isVerb = (word: string): boolean =>
    isWriting(word) && (operationId === undefined || !HINT_WORDS.nouns.has(word));
  if (isVerb(pathVerb) && !HINT_WORDS.reading.has(summaryVerb)) return pathVerb;
  // `Start a server`, and not `Start page`.
  const hasObject = /^(?:an?|the|all|this|your|each|every)$/i.test(splitWords(summary)[1] ?? '');
  return isWriting(summaryVerb) && (hasObject || !HINT_WORDS.nouns.has(summaryVerb))
    ? summaryVerb
    : undefined;
}

/** Lists the words of an operation. Variables of the path name values, so they are left out. */
function wordsOfOperation({ operationId = '', path }: Pick<Operation, 'operationId' | 'path'>): string[] {
  return [...splitWords(operationId), ...splitWords(path.replace(/\{[^{}]*\}/g, ' '))].map(toLowerCase);
}

/** The verb of an operationId behind its groups: `repos/create`, `Pets_Create`. Empty without an operationId. */
function findIdVerb({
  operationId = '',
  method,
  path,
}: Pick<Operation, 'operationId' | 'method' | 'path'>): string {
  const [first = '', second = ''] = splitWords(splitId(operationId).at(-1) ?? '').map(toLowerCase);
  // `GET_RunInstances`, `get-create-user` at `/create-user`: the method is repeated in front of the verb.
  const isRepeated = first === method.toLowerCase() && second === findPathVerb({ path });
  const isVerb = !HINT_WORDS.nouns.has(second) || /^[A-Z]+_/.test(operationId);
  const verb = isRepeated && KNOWN_VERBS.has(second) && isVerb ? second : first;
  return isCheckIn(verb, operationId) ? '' : verb;
}

const KNOWN_VERBS = new Set([...HINT_WORDS.writing, ...HINT_WORDS.destructive, ...HINT_WORDS.additive]);

/** The first word of the path's last segment, `Run` of `#Action=RunInstances`; empty if that segment is a variable. */
function findPathVerb({ path }: Pick<Operation, 'path'>): string {
  const last = path.split(/[/:#?=]/).findLast((part) => part !== '' && !/^\{[^{}]*\}$/.test(part)) ?? '';
  // `merge_requests`
  const isThing = HINT_WORDS.nouns.has(firstWord(last)) && /[_-]\w*[^s]s$/.test(last);
  return isThing || isCheckIn('check', last) ? '' : firstWord(last);
}

function isCheckIn(verb: string, text: string): boolean {
  return verb === 'check' && /check[\s_-]?(?:in|out)\b/i.test(text.replace(/([a-z])(?=[A-Z])/g, '$1-'));
}

function firstWord(text: string): string {
  return splitWords(text)[0]?.toLowerCase() ?? '';
}

function splitId(operationId: string): string[] {
  const [group = '', ...moreWords] = operationId.split(/[/.:]/);
  return [...(/^[A-Z]\w*$/.test(group) ? group.split(/_(?=[A-Z])/) : [group]), ...moreWords];
}

function toLowerCase(word: string): string {
  return word.toLowerCase();
}

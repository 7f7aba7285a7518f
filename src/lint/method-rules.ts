/** The verb of a name against the method that is sent. */
import { getOwnMember } from '../../templates/runtime/contract/json-value.ts';
import { splitWords } from '../derive/text/tool-text.ts';
import type { LintedServer, LintedTool } from './linted-server.ts';
import { type Finding, type Rule, makeFinding } from './rule.ts';

export const methodRules: Rule[] = [
  {
    name: 'verb-against-method',
    title: 'The verb of the name and the method disagree',
    cost: 10,
    isFixable: false,
    check: ({ tools }: LintedServer): Finding[] =>
      tools.flatMap((linted) => {
        const method = linted.operation?.method ?? '';
        const verb = findOpposedVerb(linted, method);
        return verb === undefined
          ? []
          : [makeFinding('verb-against-method', { tool: linted.tool.name, verb, method }, linted)];
      }),
  },
];

type Kind = 'reads' | 'writes' | 'deletes';

const VERBS: Readonly<Record<Kind, string>> = {
  reads: 'get list fetch read retrieve show describe find',
  writes: 'create add insert update replace edit modify upload register',
  deletes: 'delete remove destroy purge erase',
};

const KINDS = new Map(
  Object.entries(VERBS).flatMap(([kind, verbs]) => verbs.split(' ').map((verb) => [verb, kind as Kind])),
);

/** POST may do anything, and APIs without DELETE remove by PUT or PATCH. */
const OPPOSED: Readonly<Record<string, readonly Kind[]>> = {
  GET: ['writes', 'deletes'],
  HEAD: ['writes', 'deletes'],
  PUT: ['reads'],
  PATCH: ['reads'],
  DELETE: ['reads', 'writes'],
};

/** Only the first word that is a verb counts: `getDeletedItems` reads. */
function findOpposedVerb({ operation, tool }: LintedTool, method: string): string | undefined {
  const { readOnlyHint, destructiveHint } = operation?.xMcp?.annotations ?? {};
  if (readOnlyHint !== undefined || destructiveHint !== undefined) return undefined;
  const nameWords = splitWords(operation?.operationId ?? tool.name).map((word) => word.toLowerCase());
  const verb = nameWords.slice(0, MOST_WORDS).find((word) => KINDS.has(word));
  const kind = KINDS.get(verb ?? '');
  return kind !== undefined && getOwnMember(OPPOSED, method)?.includes(kind) === true ? verb : undefined;
}

/** A prefix (`repos/get`) may come before the verb; later words are objects. */
const MOST_WORDS = 2;

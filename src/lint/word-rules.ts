/** Rules about the words of a tool: a description that is absent, bare, or a repetition of the name, and a verb that misleads. */
import { ownMember } from '../../templates/runtime/json-rpc.ts';
import { splitUnspacedScript } from '../../templates/runtime/features/search/words.ts';
import type { ParametersOf } from '../diagnostics/registry.ts';
import { appendSentence, firstParagraph, htmlToPlainLine } from '../derive/text/plain-text.ts';
import { splitWords } from '../derive/text/tool-text.ts';
import { type LintedServer, type LintedTool, RESPONSE } from './linted-server.ts';
import { type Finding, type Rule, makeFinding } from './rule.ts';
import { stemsWithoutStopWords, hasOnlyKnownWords } from './words.ts';

type WordRule = 'missing-description' | 'tautological-description' | 'bare-description';

const LEAST_WORDS = 3;
/** A tool loses so many points if mcpgen made its words: they are present, and no more. */
const PRESENT = 20;

export const wordRules: Rule[] = [
  {
    name: 'missing-description',
    title: 'The source says nothing about the tool',
    cost: 40,
    isFixable: true,
    check: (server) =>
      findingsOfRule(server, 'missing-description', ({ tool, knownWords }) =>
        hasOnlyKnownWords(tool.description ?? '', knownWords) ? 40 : PRESENT,
      ),
  },
  {
    name: 'tautological-description',
    title: 'The description of the source only repeats the name',
    cost: 30,
    isFixable: true,
    check: (server) => findingsOfRule(server, 'tautological-description', () => 30),
  },
  {
    name: 'bare-description',
    title: 'The description of the source has one or two words',
    cost: PRESENT,
    isFixable: true,
    check: (server) => findingsOfRule(server, 'bare-description', () => PRESENT),
  },
];

/** The verb of a name against the method that is sent. */
export const methodRules: Rule[] = [
  {
    name: 'verb-against-method',
    title: 'The verb of the name and the method disagree',
    cost: 10,
    isFixable: false,
    check: ({ tools }) =>
      tools.flatMap((linted) => {
        const { method = '' } = linted.operation ?? {};
        const verb = findOpposedVerb(linted, method);
        return verb === undefined
          ? []
          : [makeFinding('verb-against-method', { tool: linted.tool.name, verb, method }, linted)];
      }),
  },
];

function findingsOfRule(
  server: LintedServer,
  rule: WordRule,
  costOf: (linted: LintedTool) => number,
): Finding[] {
  const brokenTools = server.tools.filter((linted) => findBrokenRule(linted.sourceText, linted) === rule);
  if (brokenTools.length === 0) return [];
  const facts = mapUniqueFacts(server);
  return brokenTools.map((linted) => {
    const fact = facts.get(linted.tool.name);
    const description = fact === undefined ? undefined : appendFact(linted.sourceText, fact);
    const isEnded = description !== undefined && findBrokenRule(description, linted) === undefined;
    const parameters: ParametersOf<'bare-description'> = { tool: linted.tool.name, words: linted.sourceText };
    return makeFinding(rule, parameters, linted, {
      cost: costOf(linted),
      ...(isEnded && { fix: { description } }),
    });
  });
}

/** The first of the rules that the words break. */
function findBrokenRule(sourceText: string, { knownWords }: LintedTool): WordRule | undefined {
  if (sourceText === '') return 'missing-description';
  if (hasOnlyKnownWords(sourceText, knownWords)) return 'tautological-description';
  return sourceText.split(/\s+/, LEAST_WORDS).flatMap(splitUnspacedScript).length < LEAST_WORDS
    ? 'bare-description'
    : undefined;
}

function appendFact(text: string, fact: string): string {
  const sentence = `${RESPONSE}${fact}${/[.!?]$/.test(fact) ? '' : '.'}`;
  return text === '' ? sentence : appendSentence(text, sentence);
}

/** The description of the first success, by tool, if it says something and no other tool has the same. */
function mapUniqueFacts({ tools }: LintedServer): Map<string, string> {
  const facts = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const linted of tools) {
    const fact = findSuccessDescription(linted);
    const key = stemsWithoutStopWords(fact).join(' ');
    if (key === '' || GENERIC.test(fact)) continue;
    facts.set(linted.tool.name, fact);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return new Map([...facts].filter(([, fact]) => counts.get(stemsWithoutStopWords(fact).join(' ')) === 1));
}

const GENERIC =
  /^(?:ok|okay|success(?:ful)?|accepted|created|deleted|updated|no content|default)\b[^]{0,24}$/i;

function findSuccessDescription({ operation }: LintedTool): string {
  const success = operation?.responses.find(({ status }) => /^2/.test(status));
  return htmlToPlainLine(firstParagraph(success?.description ?? ''));
}

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
  const verb = nameWords.slice(0, VERB_PLACES).find((word) => KINDS.has(word));
  const kind = KINDS.get(verb ?? '');
  return kind !== undefined && ownMember(OPPOSED, method)?.includes(kind) === true ? verb : undefined;
}

/** A prefix (`repos/get`) may come before the verb; later words are objects. */
const VERB_PLACES = 2;

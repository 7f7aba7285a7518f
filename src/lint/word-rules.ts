/** Rules about the description of a tool: absent, bare, or a repetition of its name. */
import { splitUnspacedScript } from '../../templates/runtime/contract/search-words.ts';
import type { ParametersOf } from '../diagnostics/registry.ts';
import { appendSentence, firstParagraph, htmlToPlainLine } from '../derive/text/plain-text.ts';
import { groupBy } from '../util/collections.ts';
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
      findingsOfRule(server, 'missing-description', (linted) => {
        const isGenerated = !hasOnlyKnownWords(linted.tool.description ?? '', linted.knownWords);
        return { cost: isGenerated ? PRESENT : 40 };
      }),
  },
  {
    name: 'tautological-description',
    title: 'The description of the source only repeats the name',
    cost: 30,
    isFixable: true,
    check: (server) => findingsOfRule(server, 'tautological-description', () => ({ cost: 30 })),
  },
  {
    name: 'bare-description',
    title: 'The description of the source has one or two words',
    cost: PRESENT,
    isFixable: true,
    check: (server) => findingsOfRule(server, 'bare-description', () => ({ cost: PRESENT })),
  },
];

function findingsOfRule(
  server: LintedServer,
  rule: WordRule,
  judge: (linted: LintedTool) => { cost: number },
): Finding[] {
  const brokenTools = groupToolsByRule(server).get(rule) ?? [];
  if (brokenTools.length === 0) return [];
  const facts = mapUniqueFacts(server);
  return brokenTools.map((linted) => {
    const fact = facts.get(linted.tool.name);
    const description = fact === undefined ? undefined : appendFact(linted.sourceText, fact);
    const isEnded = description !== undefined && findBrokenRule(description, linted) === undefined;
    const parameters: ParametersOf<'bare-description'> = { tool: linted.tool.name, words: linted.sourceText };
    const details = isEnded ? { ...judge(linted), fix: { description } } : judge(linted);
    return makeFinding(rule, parameters, linted, details);
  });
}

const broken = new WeakMap<LintedServer, Map<WordRule | undefined, LintedTool[]>>();

/** The tools by the rule that they break; the three rules share the work. */
function groupToolsByRule(server: LintedServer): Map<WordRule | undefined, LintedTool[]> {
  let toolsByRule = broken.get(server);
  if (toolsByRule === undefined)
    broken.set(
      server,
      (toolsByRule = groupBy(server.tools, (linted) => findBrokenRule(linted.sourceText, linted))),
    );
  return toolsByRule;
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

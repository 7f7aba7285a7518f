/** Rules that compare each tool with its siblings. */
import { splitWords } from '../derive/text/tool-text.ts';
import { formatNameList } from '../util/collections.ts';
import { mapWithPauses, type Steps } from '../util/pauses.ts';
import type { LintedServer, LintedTool } from './linted-server.ts';
import { findRank, scoreByWords } from './rank-by-words.ts';
import { type Finding, type Rule, makeFinding } from './rule.ts';
import { stemsWithoutStopWords } from './words.ts';

export const siblingRules: Rule[] = [
  {
    name: 'near-duplicate-tools',
    title: 'Two tools have nearly the same description',
    cost: 10,
    isFixable: false,
    check: findDuplicates,
  },
  {
    name: 'confused-tool',
    title: 'The tool is not the first for its own summary',
    cost: 10,
    isFixable: false,
    check: findConfusedTools,
  },
];

/** Words that two descriptions must share, of the words of both. */
const ALIKE = 0.9;

function* findDuplicates({ tools }: LintedServer): Steps<Finding[]> {
  const sets = tools.map(({ summaryWords }) => new Set(summaryWords));
  const frequency = new Map<string, number>();
  for (const set of sets) for (const word of set) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const byWord = new Map<string, number[]>();
  const findings = yield* mapWithPauses([...tools.entries()], ([index, linted]): Finding[] => {
    const set = sets[index] ?? new Set();
    const candidates = new Set<number>();
    for (const word of pickRarestWords(set, frequency)) {
      const toolsWithWord = byWord.get(word);
      for (const each of toolsWithWord ?? []) candidates.add(each);
      if (toolsWithWord === undefined) byWord.set(word, [index]);
      else toolsWithWord.push(index);
    }
    const twin = [...candidates]
      .sort((a, b) => a - b)
      .find(
        (candidate) =>
          haveSimilarWords(set, sets[candidate] ?? new Set()) &&
          haveSimilarDescriptions(linted, tools[candidate]),
      );
    const other = twin === undefined ? undefined : tools[twin];
    if (other === undefined) return [];
    const names = { tool: linted.tool.name, other: other.tool.name };
    const difference = describeDifference(linted, other);
    return [
      makeFinding('near-duplicate-tools', { ...names, difference }, linted, {
        otherTools: [other.tool.name],
      }),
    ];
  });
  return findings.flat();
}

/** Two sets that are alike share one of these: so many words may differ, and one more may not. */
function pickRarestWords(set: ReadonlySet<string>, frequency: ReadonlyMap<string, number>): string[] {
  const prefixLength = set.size - Math.ceil(set.size * ALIKE) + 1;
  return [...set]
    .sort((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0) || (a < b ? -1 : 1))
    .slice(0, prefixLength);
}

function haveSimilarWords(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one.size === 0) return false;
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return shared / (one.size + other.size - shared) >= ALIKE;
}

function haveSimilarDescriptions({ sourceText }: LintedTool, other: LintedTool | undefined): boolean {
  return (
    other !== undefined &&
    haveSimilarWords(
      new Set(stemsWithoutStopWords(sourceText)),
      new Set(stemsWithoutStopWords(other.sourceText)),
    )
  );
}

/** `In the path: "org" against "repo". Arguments: org against owner, repo.` */
function describeDifference(one: LintedTool, other: LintedTool): string {
  const [path, otherPath] = differingWords(wordsOfPath(one), wordsOfPath(other));
  const [names, otherNames] = differingWords(argumentNames(one), argumentNames(other));
  const [method, otherMethod] = [one.operation?.method, other.operation?.method];
  const parts = [
    formatContrast('The path differs', path, otherPath),
    method === otherMethod ? '' : `The method differs: ${String(method)} against ${String(otherMethod)}.`,
    formatContrast('The arguments differ', names, otherNames),
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'Only their names differ.' : parts.join(' ');
}

function wordsOfPath({ operation }: LintedTool): string[] {
  return operation === undefined ? [] : splitWords(operation.path);
}

function argumentNames({ arguments: all }: LintedTool): string[] {
  return all.map(({ name }) => name);
}

function differingWords(one: string[], other: string[]): [string[], string[]] {
  const excludeWords = (list: string[], excluded: string[]): string[] => [
    ...new Set(list.filter((word) => !excluded.includes(word))),
  ];
  return [excludeWords(one, other), excludeWords(other, one)];
}

const MOST_NAMED = 4;

function formatContrast(what: string, one: string[], other: string[]): string {
  if (one.length === 0 && other.length === 0) return '';
  const formatWords = (list: string[]): string =>
    list.length === 0 ? 'nothing' : formatNameList(list, MOST_NAMED);
  return `${what}: ${formatWords(one)} against ${formatWords(other)}.`;
}

/** A tool among the first three is found by a model that looks at a short list. */
const SHORT_LIST = 3;

function* findConfusedTools({ tools }: LintedServer): Steps<Finding[]> {
  const score = scoreByWords(
    tools.map(({ tool, summaryWords }) => [...stemsWithoutStopWords(tool.name), ...summaryWords]),
  );
  const findings = yield* mapWithPauses([...tools.entries()], ([index, linted]) => {
    const query = linted.summaryWords;
    const { place, first } = query.length === 0 ? { place: 1, first: index } : findRank(score(query), index);
    const winner = tools[first];
    if (place === 1 || winner === undefined) return [];
    const parameters = { tool: linted.tool.name, rank: place, first: winner.tool.name };
    return [makeFinding('confused-tool', parameters, linted, { cost: place > SHORT_LIST ? 10 : 5 })];
  });
  return findings.flat();
}

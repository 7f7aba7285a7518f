/** Rules that compare each tool with its siblings. */
import { listApis } from '../model/bindings.ts';
import { formatNameList } from '../util/collections.ts';
import type { LintedServer, LintedTool } from './linted-server.ts';
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
    name: 'public-beside-secured',
    title: 'An operation has no `security`, and its siblings have it',
    cost: 0,
    isFixable: false,
    check: findPublicTools,
  },
];

/** Where the document itself has no `security`, which would be that of all operations. */
function findPublicTools({ model, tools }: LintedServer): Finding[] {
  const secured = new Map<string | undefined, number>();
  const operations = tools.flatMap((linted) => {
    const { operation, tool } = linted;
    const { api } = tool.binding.kind === 'http' ? tool.binding : {};
    return operation === undefined ? [] : [{ linted, operation, api }];
  });
  for (const { operation, api } of operations)
    if ((operation.security ?? []).length > 0) secured.set(api, (secured.get(api) ?? 0) + 1);
  const general = new Set(
    listApis(model).flatMap(({ name, security }) => (security === undefined ? [] : [name])),
  );
  return operations.flatMap(({ linted, operation, api }) => {
    const count = secured.get(api) ?? 0;
    if (operation.security !== undefined || general.has(api) || count === 0) return [];
    return [makeFinding('public-beside-secured', { tool: linted.tool.name, secured: count }, linted)];
  });
}

/** Words that two descriptions must share, of the words of both. */
const ALIKE = 0.9;

function findDuplicates({ tools }: LintedServer): Finding[] {
  const sets = tools.map(({ summaryWords }) => new Set(summaryWords));
  const frequency = new Map<string, number>();
  for (const set of sets) for (const word of set) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const byWord = new Map<string, number[]>();
  return tools.flatMap((linted, index): Finding[] => {
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

/** `They are GET /orgs/{org} (org) and GET /repos/{repo} (repo).` */
function describeDifference(one: LintedTool, other: LintedTool): string {
  const [first = '', second] = [one, other].map(({ operation, arguments: args }) => {
    const names = args.map(({ name }) => name);
    const place = operation === undefined ? '' : `${operation.method} ${operation.path}`;
    return names.length === 0 ? place : `${place} (${formatNameList(names, MOST_NAMED)})`.trim();
  });
  return first === second ? 'Only their names differ.' : `They are ${first} and ${second}.`;
}

const MOST_NAMED = 4;

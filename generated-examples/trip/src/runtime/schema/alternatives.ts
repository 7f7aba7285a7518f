/** Words for a value that fits none, or too many, of the branches of `anyOf` or `oneOf`. */
import { count, fail, type Finding, Findings, list, sentence, show } from './findings.ts';
import type { Json, JsonObject, JsonType } from './json-schema.ts';
import { isObject } from './json-value.ts';
import { type Check, holds, type Run } from './run.ts';
import type { SchemaNode } from './schema-node.ts';
import { Evaluated } from './evaluated.ts';

/** Findings looked at per branch: enough to rank branches, and to name what is wrong with the nearest. */
const perBranch = 8;
const namedProblems = 3;
/** Alternatives inside alternatives: explaining each doubles the work, and nobody reads the innermost. */
const deepestExplained = 3;

/** Evaluates all branches, reports a failure of the keyword, and says how many branches hold. */
export function reportAlternatives(
  node: SchemaNode,
  keyword: 'anyOf' | 'oneOf',
  branches: readonly Check[],
  value: unknown,
  run: Run,
): number {
  const outcomes = evaluateAll(branches, value, run);
  const holding = outcomes.flatMap((findings, index) => (findings === undefined ? [index] : []));
  if (holding.length === 0) {
    const failed = outcomes.filter((findings) => findings !== undefined);
    reportNone(node, keyword, failed, value, run);
  } else if (keyword === 'oneOf' && holding.length > 1) {
    const which = list(
      holding.map((index) => String(index + 1)),
      'and',
    );
    const words = `must match exactly one of ${count(branches.length, 'alternative')} but matches ${which}`;
    fail(run, node, keyword, { words, params: { passingSchemas: holding } });
  }
  return holding.length;
}

/** What each branch finds; past the deepest level only whether it holds. */
function evaluateAll(branches: readonly Check[], value: unknown, run: Run): (Finding[] | undefined)[] {
  if (run.explaining >= deepestExplained) {
    return branches.map((branch) => (holds(branch, value, run) ? undefined : []));
  }
  run.explaining++;
  const outcomes = branches.map((branch) => attempt(branch, value, run));
  run.explaining--;
  return outcomes;
}

/** The findings of a branch that fails; undefined when it holds. Only one that holds reports members. */
function attempt(branch: Check, value: unknown, run: Run): Finding[] | undefined {
  const { findings, evaluated } = run;
  const own = new Findings(perBranch, 'ignore');
  run.findings = own;
  run.evaluated = evaluated === undefined ? undefined : new Evaluated();
  const ok = branch(value, run);
  if (ok && run.evaluated !== undefined) evaluated?.merge(run.evaluated);
  run.findings = findings;
  run.evaluated = evaluated;
  return ok ? undefined : own.list;
}

function reportNone(
  node: SchemaNode,
  keyword: string,
  failed: readonly Finding[][],
  value: unknown,
  run: Run,
): void {
  const depth = run.path.length;
  if (failed.every(({ length }) => length === 0)) {
    fail(run, node, keyword, { words: `matches none of ${count(failed.length, 'alternative')}` });
    return;
  }
  const rivals = failed.filter((findings) => !findings.some((finding) => isAbout(finding, 'type', depth)));
  const [nearest, ...rest] = failed.length === 1 ? failed : rivals;
  if (nearest === undefined) fail(run, node, keyword, noType(failed, value, depth));
  else if (rest.length === 0) for (const finding of nearest) run.findings?.add(finding);
  else reportRivals(node, keyword, rivals, value, run);
}

/** No branch is for values of this type. */
function noType(
  failed: readonly Finding[][],
  value: unknown,
  depth: number,
): { words: string; params: JsonObject } {
  const types = failed.flat().flatMap((finding) => {
    const type = isAbout(finding, 'type', depth) ? finding.params?.type : undefined;
    return Array.isArray(type) ? (type as JsonType[]) : [];
  });
  const wanted = [...new Set(types)];
  return { words: `must be of type ${list(wanted)} but is ${show(value)}`, params: { type: wanted } };
}

/** Several branches are for values of this type: a tag decides, or the one with the fewest problems is shown. */
function reportRivals(
  node: SchemaNode,
  keyword: string,
  rivals: readonly Finding[][],
  value: unknown,
  run: Run,
): void {
  const depth = run.path.length;
  const tags = rivals.map((findings) => findings.find((finding) => isTag(finding, depth)));
  const chosen = rivals.filter((_, index) => tags[index] === undefined);
  const [only] = chosen;
  if (only !== undefined && chosen.length === 1) {
    for (const finding of only) run.findings?.add(finding);
    return;
  }
  const refusedTag = chosen.length === 0 ? sharedTag(tags) : undefined;
  if (refusedTag !== undefined) run.findings?.add({ ...refusedTag, node, keyword });
  else fail(run, node, keyword, nearestWords(chosen.length === 0 ? rivals : chosen, value));
}

/** A `const` or `enum` failure of the value itself or of a direct member: what tells branches apart. */
function isTag(finding: Finding, depth: number): boolean {
  return (
    isAbout(finding, 'const', depth + 1) ||
    isAbout(finding, 'enum', depth + 1) ||
    isAbout(finding, 'const', depth) ||
    isAbout(finding, 'enum', depth)
  );
}

function isAbout(finding: Finding, keyword: string, depth: number): boolean {
  return finding.keyword === keyword && finding.path.length === depth && finding.member === undefined;
}

/** One finding for all branches, when they all refuse the value of the same member. */
function sharedTag(tags: readonly (Finding | undefined)[]): Finding | undefined {
  const [first] = tags;
  if (first === undefined) return undefined;
  const place = first.path.join('/');
  if (!tags.every((tag) => tag?.path.join('/') === place)) return undefined;
  const values = [
    ...new Set(tags.flatMap((tag) => tagValues(tag?.params)).map((value) => JSON.stringify(value))),
  ];
  const found = first.words.slice(first.words.lastIndexOf(' but is '));
  const params = { allowedValues: values.map((text) => JSON.parse(text) as Json) };
  return { ...first, words: `must be one of ${list(values)}${found}`, params };
}

function tagValues(params: JsonObject | undefined): Json[] {
  if (params === undefined) return [];
  if (params.allowedValue !== undefined) return [params.allowedValue];
  return Array.isArray(params.allowedValues) ? params.allowedValues : [];
}

function nearestWords(rivals: readonly Finding[][], value: unknown): { words: string } {
  const weights = rivals.map((findings) => weigh(findings));
  const nearest = rivals[weights.indexOf(Math.min(...weights))] ?? [];
  const problems = nearest.slice(0, namedProblems).map(sentence).join('; ');
  const what = isObject(value) || Array.isArray(value) ? '' : ` (it is ${show(value)})`;
  return {
    words: `matches none of ${count(rivals.length, 'alternative')}${what}; for the nearest, ${problems}`,
  };
}

/** Fewer problems are nearer; a wrong tag or a member of the wrong type is a bigger one. */
function weigh(findings: readonly Finding[]): number {
  const heavy = new Set(['const', 'enum', 'type', 'false', 'additionalProperties']);
  return findings.reduce((sum, { keyword }) => sum + (heavy.has(keyword) ? 3 : 2), 0);
}

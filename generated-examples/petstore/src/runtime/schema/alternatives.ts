// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Words for a value that fits none, or too many, of the branches of `anyOf` or `oneOf`. */
import {
  type Json,
  type JsonObject,
  type JsonType,
  type Subschema,
  allowsNothing,
  escapeToken,
  isSchema,
  subschemaAt,
  subschemaList,
} from '../contract/json-schema.ts';
import { isRecord, member } from '../contract/json-value.ts';
import {
  type Check,
  Evaluated,
  type Finding,
  Findings,
  type Run,
  count,
  fail,
  holds,
  list,
  matchesPattern,
  sentence,
  show,
} from './run.ts';
import type { SchemaNode, SchemaSet } from './schema-set.ts';

/** Findings looked at per branch: enough to rank branches, and to name what is wrong with the nearest. */
const perBranch = 8;
const namedProblems = 3;
/** Alternatives inside alternatives: explaining each doubles the work, and nobody reads the innermost. */
const deepestExplained = 3;

/** One of `anyOf` or `oneOf`. */
interface Branch {
  check: Check;
  node: SchemaNode;
}

/** The keyword whose branches are tried. */
export interface Alternatives {
  node: SchemaNode;
  keyword: 'anyOf' | 'oneOf';
  branches: readonly Branch[];
  set: SchemaSet;
}

/** A branch that does not hold, and why. */
interface Refused {
  findings: Finding[];
  node: SchemaNode;
}

/** Evaluates all branches, reports a failure of the keyword, and says how many branches hold. */
export function reportAlternatives(of: Alternatives, value: unknown, run: Run): number {
  const { node, keyword, branches } = of;
  const outcomes = evaluateAll(branches, value, run);
  const holding = outcomes.flatMap((refused, index) => (refused === undefined ? [index] : []));
  if (holding.length === 0) {
    const refused = outcomes.filter((outcome) => outcome !== undefined);
    reportNone(of, refused, value, run);
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

/** Runs each branch and collects its findings; past the deepest level only whether it holds. */
function evaluateAll(branches: readonly Branch[], value: unknown, run: Run): (Refused | undefined)[] {
  if (run.explaining >= deepestExplained) {
    return branches.map(({ check, node }) => (holds(check, value, run) ? undefined : { findings: [], node }));
  }
  run.explaining++;
  const outcomes = branches.map(({ check, node }) => {
    const findings = attempt(check, value, run);
    return findings && { findings, node };
  });
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

function reportNone(of: Alternatives, failed: readonly Refused[], value: unknown, run: Run): void {
  const { node, keyword } = of;
  const depth = run.path.length;
  if (failed.every(({ findings }) => findings.length === 0)) {
    fail(run, node, keyword, { words: `matches none of ${count(failed.length, 'alternative')}` });
    return;
  }
  const types = failed.map(({ findings }) => refusedTypes(findings, depth));
  const rivals = failed.filter((_, index) => types[index] === undefined);
  const others = [...new Set(types.flatMap((each) => each ?? []))];
  const [nearest, ...rest] = failed.length === 1 ? failed : rivals;
  if (nearest === undefined) fail(run, node, keyword, noType(others, value));
  else if (rest.length === 0) for (const each of withTypes(nearest, others, depth)) run.findings?.add(each);
  else reportRivals(of, rivals, value, run);
}

/** The types that a branch allows, if the value's type is not among them; else undefined. */
function refusedTypes(findings: readonly Finding[], depth: number): JsonType[] | undefined {
  const refused = findings.filter((finding) =>
    ['type', 'anyOf', 'oneOf'].some((keyword) => isAbout(finding, keyword, depth)),
  );
  const types = refused.map(({ params }) => params?.type).filter(Array.isArray);
  return types.length === 0 ? undefined : (types.flat() as JsonType[]);
}

/** Makes the message for a value whose type no branch allows. */
function noType(wanted: JsonType[], value: unknown): { words: string; params: JsonObject } {
  return { words: `must be of type ${list(wanted)} but is ${show(value)}`, params: { type: wanted } };
}

/** Adds the other allowed types to the message if the only branch for this type allows a few values. */
function withTypes({ findings }: Refused, others: readonly JsonType[], depth: number): Finding[] {
  return findings.map((finding) => {
    const isChoice = isAbout(finding, 'const', depth) || isAbout(finding, 'enum', depth);
    const { words } = finding;
    const at = words.lastIndexOf(' but is ');
    if (!isChoice || others.length === 0 || at < 0) return finding;
    return { ...finding, words: `${words.slice(0, at)}, or of type ${list(others)},${words.slice(at)}` };
  });
}

/** Several branches are for values of this type: a tag decides, or the one that was most probably meant is shown. */
function reportRivals(of: Alternatives, rivals: readonly Refused[], value: unknown, run: Run): void {
  const { node, keyword, set } = of;
  const depth = run.path.length;
  const tags = rivals.map(({ findings }) => findings.find((finding) => isTag(finding, depth)));
  const untold = rivals.filter((_, index) => tags[index] === undefined);
  // A branch whose tag failed is ruled out if a branch without a failed tag names the same member.
  const chosen = rivals.filter((_, index) => {
    const name = tags[index]?.path[depth];
    if (tags[index] === undefined) return true;
    return !untold.some((other) => name === undefined || namesMember(other.node, String(name), set));
  });
  const [only] = chosen;
  if (only !== undefined && chosen.length === 1) {
    for (const finding of only.findings) run.findings?.add(finding);
    return;
  }
  const refusedTag = untold.length === 0 ? sharedTag(tags) : undefined;
  if (refusedTag !== undefined) run.findings?.add({ ...refusedTag, node, keyword });
  else fail(run, node, keyword, nearestWords(chosen, value, set, run));
}

/**
 * Whether a finding is a `const` or `enum` failure of the value itself or of a direct member, which distinguish
 * branches.
 */
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

function nearestWords(
  rivals: readonly Refused[],
  value: unknown,
  set: SchemaSet,
  run: Run,
): { words: string } {
  const { findings } = findNearest(rivals, value, set, run);
  const problems = findings.slice(0, namedProblems).map(sentence).join('; ');
  const what = isRecord(value) || Array.isArray(value) ? '' : ` (it is ${show(value)})`;
  return {
    words: `matches none of ${count(rivals.length, 'alternative')}${what}; for the nearest, ${problems}`,
  };
}

/**
 * Chooses the branch that names most members of the value; of several, the one with the fewest problems; of these the
 * first.
 */
function findNearest(rivals: readonly Refused[], value: unknown, set: SchemaSet, run: Run): Refused {
  const known = rivals.map(({ node }) => knownMembers(value, [node], set, run));
  const most = Math.max(...known);
  return rivals
    .filter((_, index) => known[index] === most)
    .reduce((nearest, each) => (each.findings.length < nearest.findings.length ? each : nearest));
}

/** Whether a schema, or one that it applies to the same value, names a member. */
function namesMember(node: SchemaNode, name: string, set: SchemaSet): boolean {
  return inPlace([node], set).some((each) => memberNode(each, name, set) !== undefined);
}

/**
 * Counts the members of a value, at any depth, that a schema names. The alternative that names most of them is taken as
 * the one that was meant.
 */
function knownMembers(value: unknown, nodes: readonly SchemaNode[], set: SchemaSet, run: Run): number {
  if (typeof value !== 'object' || value === null || nodes.length === 0) return 0;
  run.enter();
  const said = inPlace(nodes, set);
  const find = Array.isArray(value) ? itemNode : memberNode;
  let known = 0;
  for (const [key, part] of Object.entries(value)) {
    run.spend(said.length);
    const children = said.map((node) => find(node, key, set)).filter((child) => child !== undefined);
    if (children.length > 0 && !Array.isArray(value)) known++;
    known += knownMembers(part, children, set, run);
  }
  run.leave();
  return known;
}

/** Schemas with those that they apply to the same value, each once. */
function inPlace(nodes: readonly SchemaNode[], set: SchemaSet): SchemaNode[] {
  const found = new Set(nodes);
  // A set is walked to its end, also to what is added on the way.
  for (const node of found) {
    const { schema } = node;
    if (typeof schema === 'boolean') continue;
    const target = set.target(node, '$ref')?.node;
    if (target !== undefined) found.add(target);
    for (const keyword of ['allOf', 'anyOf', 'oneOf'])
      for (const each of subschemaList(schema, keyword)) found.add(makeChild(node, each, set));
  }
  return [...found];
}

/** The schema of a member by its name; undefined where it is not named, or must not be there. */
function memberNode(node: SchemaNode, name: string, set: SchemaSet): SchemaNode | undefined {
  const { schema } = node;
  if (typeof schema === 'boolean') return undefined;
  const { properties, patternProperties } = schema;
  const own = isRecord(properties) ? member(properties, name) : undefined;
  if (isSchema(own)) return allowed(node, { schema: own, step: `/properties/${escapeToken(name)}` }, set);
  const patterns = isRecord(patternProperties) ? patternProperties : {};
  const pattern = Object.keys(patterns).find((each) => matchesPattern(each, name));
  const matched = pattern === undefined ? undefined : patterns[pattern];
  if (pattern !== undefined && isSchema(matched))
    return allowed(node, { schema: matched, step: `/patternProperties/${escapeToken(pattern)}` }, set);
  const [additional] = subschemaAt(schema, 'additionalProperties');
  return additional && allowed(node, additional, set);
}

function itemNode(node: SchemaNode, index: string, set: SchemaSet): SchemaNode | undefined {
  const { schema } = node;
  if (typeof schema === 'boolean') return undefined;
  const found = subschemaList(schema, 'prefixItems')[Number(index)] ?? subschemaAt(schema, 'items')[0];
  return found && allowed(node, found, set);
}

function allowed(node: SchemaNode, found: Subschema, set: SchemaSet): SchemaNode | undefined {
  return allowsNothing(found.schema) ? undefined : makeChild(node, found, set);
}

function makeChild(node: SchemaNode, { schema, step }: Subschema, set: SchemaSet): SchemaNode {
  return set.node(schema, node, step);
}

// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Words for a value that fits none, or too many, of the branches of `anyOf` or `oneOf`, and which of them is meant. Loading the module
 * registers it with `run.ts`.
 */
import {
  type Json,
  type JsonObject,
  type JsonSchemaObject,
  type JsonType,
  allowsNothing,
} from '../contract/json-schema.ts';
import { isEqual, isRecord, getOwnMember, memberNames, getJsonType } from '../contract/json-value.ts';
import { makePattern } from '../contract/patterns.ts';
import { listApplied } from './repair.ts';
import {
  type Alternatives,
  type Check,
  type Failure,
  type Finding,
  Evaluated,
  Findings,
  type Run,
  type SchemaHints,
  type TypesReader,
  countNoun,
  reportFailure,
  passesQuietly,
  registerAlternativesReader,
  formatList,
  findingSentence,
  describeValue,
} from './run.ts';
import type { SchemaNode } from './schema-set.ts';

/** Enough findings to rank branches, and to name what is wrong with the nearest. */
const perBranch = 8;
/** Explaining alternatives inside alternatives doubles the work each time, and nobody reads the innermost. */
const deepestExplained = 3;

interface Refused {
  findings: Finding[];
  node: SchemaNode;
}

registerAlternativesReader({ checkAlternatives, mayAccept });

function checkAlternatives(of: Alternatives, value: unknown, run: Run): number {
  const { node, keyword, branches } = of;
  const outcomes = evaluateBranches(branches, value, run);
  const refused = outcomes.filter((outcome) => outcome !== undefined);
  const holding = branches.length - refused.length;
  if (holding === 0) reportNoBranchMatches(of, refused, value, run);
  else if (keyword === 'oneOf' && holding > 1) {
    const passingSchemas = outcomes.flatMap((outcome, index) => (outcome === undefined ? [index] : []));
    const which = formatList(
      passingSchemas.map((index) => String(index + 1)),
      'and',
    );
    const words = `must match exactly one of ${countNoun(branches.length, 'alternative')} but matches ${which}`;
    reportFailure(run, node, keyword, { words, params: { passingSchemas } });
  }
  return holding;
}

function evaluateBranches(
  branches: Alternatives['branches'],
  value: unknown,
  run: Run,
): (Refused | undefined)[] {
  if (run.explaining >= deepestExplained) {
    return branches.map(({ check, node }) =>
      passesQuietly(check, value, run) ? undefined : { findings: [], node },
    );
  }
  run.explaining++;
  const outcomes = branches.map(({ check, node }) => {
    const findings = tryBranch(check, value, run);
    return findings && { findings, node };
  });
  run.explaining--;
  return outcomes;
}

/** Returns the findings of a branch; undefined if it accepts the value, whose members it then marks as evaluated. */
function tryBranch(branch: Check, value: unknown, run: Run): Finding[] | undefined {
  const { findings, evaluated } = run;
  const own = new Findings(perBranch, 'ignore');
  run.findings = own;
  run.evaluated = evaluated === undefined ? undefined : new Evaluated();
  const ok = branch(value, run);
  if (ok && run.evaluated !== undefined) evaluated?.mergeEvaluated(run.evaluated);
  run.findings = findings;
  run.evaluated = evaluated;
  return ok ? undefined : own.list;
}

function reportNoBranchMatches(of: Alternatives, failed: readonly Refused[], value: unknown, run: Run): void {
  const { node, keyword } = of;
  const depth = run.path.length;
  if (failed.every(({ findings }) => findings.length === 0)) {
    reportFailure(run, node, keyword, {
      words: `matches none of ${countNoun(failed.length, 'alternative')}`,
    });
    return;
  }
  const types = failed.map(({ findings }) => typesThatBranchAllows(findings, depth));
  const rivals = failed.filter((_, index) => types[index] === undefined);
  const others = [...new Set(types.flatMap((each) => each ?? []))];
  const [nearest, ...rest] = failed.length === 1 ? failed : rivals;
  if (nearest === undefined) {
    const words = `must be of type ${formatList(others)} but is ${describeValue(value)}`;
    reportFailure(run, node, keyword, { words, params: { type: others } });
  } else if (rest.length > 0) reportRivals(of, rivals, value, run);
  else
    for (const finding of nearest.findings)
      run.findings?.addFinding(addTypesToMessage(finding, others, depth));
}

/** Returns the types that a branch allows, if the value's type is not among them. */
function typesThatBranchAllows(findings: readonly Finding[], depth: number): JsonType[] | undefined {
  const types = findings
    .filter((finding) => isKeywordFindingAt(finding, ['type', 'anyOf', 'oneOf'], depth))
    .map(({ params }) => params?.type)
    .filter(Array.isArray);
  return types.length === 0 ? undefined : (types.flat() as JsonType[]);
}

/** Adds the other allowed types to the message if the only branch for this type allows a few values. */
function addTypesToMessage(finding: Finding, others: readonly JsonType[], depth: number): Finding {
  const { words } = finding;
  const at = words.lastIndexOf(' but is ');
  if (!isKeywordFindingAt(finding, ['const', 'enum'], depth) || others.length === 0 || at < 0) return finding;
  return { ...finding, words: `${words.slice(0, at)}, or of type ${formatList(others)},${words.slice(at)}` };
}

/** Several branches are for values of this type: a tag decides, or the one that was most probably meant is shown. */
function reportRivals(of: Alternatives, rivals: readonly Refused[], value: unknown, run: Run): void {
  const { node, keyword } = of;
  const depth = run.path.length;
  const tags = rivals.map(({ findings }) => findings.find((finding) => isTagFinding(finding, depth)));
  const untold = rivals.filter((_, index) => tags[index] === undefined);
  // A branch whose tag failed is ruled out if a branch without a failed tag names the same member.
  const chosen = rivals.filter((_, index) => {
    if (tags[index] === undefined) return true;
    const name = tags[index].path[depth];
    return !untold.some((other) => name === undefined || schemaNamesMember(other.node, String(name), run));
  });
  const [only, second] = chosen;
  if (only !== undefined && second === undefined) {
    for (const finding of only.findings) run.findings?.addFinding(finding);
    return;
  }
  const refusedTag = untold.length === 0 ? findSharedTagFault(tags) : undefined;
  if (refusedTag !== undefined) run.findings?.addFinding({ ...refusedTag, node, keyword });
  else reportFailure(run, node, keyword, describeNearest(chosen, value, run));
}

/** Tags distinguish branches: a `const` or `enum` of the value itself or of a direct member. */
function isTagFinding(finding: Finding, depth: number): boolean {
  return [depth, depth + 1].some((each) => isKeywordFindingAt(finding, ['const', 'enum'], each));
}

function isKeywordFindingAt(
  { keyword, path, member }: Finding,
  keywords: readonly string[],
  depth: number,
): boolean {
  return keywords.includes(keyword) && path.length === depth && member === undefined;
}

/** Makes one finding for all branches, when they all refuse the value of the same member. */
function findSharedTagFault(tags: readonly (Finding | undefined)[]): Finding | undefined {
  const [first] = tags;
  if (first === undefined) return undefined;
  const place = first.path.join('/');
  if (!tags.every((tag) => tag?.path.join('/') === place)) return undefined;
  const values = [
    ...new Set(tags.flatMap((tag) => listTagValues(tag?.params)).map((value) => JSON.stringify(value))),
  ];
  const found = first.words.slice(first.words.lastIndexOf(' but is '));
  const params = { allowedValues: values.map((text) => JSON.parse(text) as Json) };
  return { ...first, words: `must be one of ${formatList(values)}${found}`, params };
}

function listTagValues({ allowedValue, allowedValues }: JsonObject = {}): Json[] {
  if (allowedValue !== undefined) return [allowedValue];
  return Array.isArray(allowedValues) ? allowedValues : [];
}

function describeNearest(rivals: readonly Refused[], value: unknown, run: Run): Failure {
  const { findings } = findNearest(rivals, value, run);
  const problems = findings.slice(0, 3).map(findingSentence).join('; ');
  const what = isRecord(value) || Array.isArray(value) ? '' : ` (it is ${describeValue(value)})`;
  return {
    words: `matches none of ${countNoun(rivals.length, 'alternative')}${what}; for the nearest, ${problems}`,
  };
}

/** Chooses the branch that names most members of the value; of several, the first with the fewest problems. */
function findNearest(rivals: readonly Refused[], value: unknown, run: Run): Refused {
  const known = rivals.map(({ node }) => countKnownMembers(value, [node], run));
  const most = Math.max(...known);
  return rivals
    .filter((_, index) => known[index] === most)
    .reduce((nearest, each) => (each.findings.length < nearest.findings.length ? each : nearest));
}

function schemaNamesMember(node: SchemaNode, name: string, run: Run): boolean {
  return nodesInPlace([node]).some((each) => nodeOfMember(each, name, run) !== undefined);
}

/** Counts the members of a value, at any depth, that a schema names. */
function countKnownMembers(value: unknown, nodes: readonly SchemaNode[], run: Run): number {
  if (typeof value !== 'object' || value === null || nodes.length === 0) return 0;
  run.enterSchema();
  const said = nodesInPlace(nodes);
  const keys = Object.keys(value);
  run.spendSteps((1 + keys.length) * said.length);
  const isList = Array.isArray(value);
  const find = isList ? nodeOfItem : nodeOfMember;
  let known = 0;
  for (const key of keys) {
    const children = said.map((node) => find(node, key, run)).filter((child) => child !== undefined);
    if (children.length > 0 && !isList) known++;
    known += countKnownMembers((value as Record<string, unknown>)[key], children, run);
  }
  run.leaveSchema();
  return known;
}

function nodesInPlace(nodes: readonly SchemaNode[]): SchemaNode[] {
  const found = new Set(nodes);
  // The loop also visits what it adds.
  for (const node of found) {
    if (node.ref !== undefined) found.add(node.ref);
    for (const keyword of ['allOf', 'anyOf', 'oneOf'])
      for (const each of node.nodesInList(keyword)) found.add(each);
  }
  return [...found];
}

/** Returns undefined where the member is not named, or must not be there. */
function nodeOfMember(node: SchemaNode, name: string, run: Run): SchemaNode | undefined {
  return omitForbiddenNode(
    node.getNamedSubnode('properties', name) ??
      nodeByPattern(node, name, run) ??
      node.getSubnode('additionalProperties'),
  );
}

function nodeByPattern(node: SchemaNode, name: string, run: Run): SchemaNode | undefined {
  return node.map('patternProperties').find(([pattern]) => makePattern(pattern).test(name, run))?.[1];
}

function nodeOfItem(node: SchemaNode, index: string): SchemaNode | undefined {
  return omitForbiddenNode(node.nodesInList('prefixItems')[Number(index)] ?? node.getSubnode('items'));
}

function omitForbiddenNode(node: SchemaNode | undefined): SchemaNode | undefined {
  return node === undefined || allowsNothing(node.schema) ? undefined : node;
}

// Repairs.

function mayAccept(hints: SchemaHints, value: object, reader: TypesReader, depth: number): boolean {
  if (!reader.spendStep(depth)) return true;
  const mayHold = (part: SchemaHints): boolean => mayAccept(part, value, reader, depth + 1);
  if ('every' in hints) return hints.every.every(mayHold);
  if ('some' in hints) return hints.some.some(mayHold);
  const type = getJsonType(value);
  if (type === undefined || !reader.types(hints).has(type)) return false;
  if (isRecord(value) && !areNamesAllowed(hints, value)) return false;
  return listApplied(hints).every(mayHold);
}

function areNamesAllowed(node: SchemaNode, value: Record<string, unknown>): boolean {
  const { required, additionalProperties, patternProperties } = node.keywords;
  if (Array.isArray(required) && !required.every((name) => getOwnMember(value, name) !== undefined))
    return false;
  return memberNames(value).every((name) => {
    const property = node.getNamedSubnode('properties', name)?.schema;
    if (property === undefined) return additionalProperties !== false || patternProperties !== undefined;
    return typeof property === 'boolean' ? property : isTagAllowed(property, value[name]);
  });
}

function isTagAllowed(property: JsonSchemaObject, value: unknown): boolean {
  const only = getOwnMember(property, 'const');
  if (only !== undefined && !isEqual(only, value)) return false;
  return !Array.isArray(property.enum) || property.enum.some((item) => isEqual(item, value));
}

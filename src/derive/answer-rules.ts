/** Decides what a tool returns of its answers, and whether clients may choose: `x-mcp.output` and `fields`. */
import type { MemberNames, ResultBinding } from '../model/bindings.ts';
import {
  findUnknownPaths,
  pickAndDropMembers,
  parseMemberPaths,
} from '../../templates/runtime/features/answer-rules.ts';
import { MAX_NAME } from '../../templates/runtime/json-rpc.ts';
import type { Json, JsonSchema, ObjectSchema } from '../util/json-schema.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Operation, OutputRule, SourceModel } from '../model/source-model.ts';
import { omitUndefined } from '../util/collections.ts';
import { successResponses } from './body/success-response.ts';
import type { DeriveSettings } from './options.ts';
import { collectAnswerNames } from './schema/answer-members.ts';
import { findObjectShape } from './schema/object-shape.ts';
import { chooseAnswerSchema } from './schema/output-schema.ts';
import type { SchemaView } from './schema/schema-view.ts';
import type { SchemaViews } from './schema/schema-views.ts';
import { findFreeName } from '../util/free-name.ts';

/** Names that one call may ask for. */
const MOST_NAMES = 100;

export type AnswerRules = Pick<ResultBinding, 'select' | 'drop' | 'fields'>;

interface Context {
  source: Pick<SourceModel, 'xMcp'>;
  settings: Pick<DeriveSettings, 'tools'>;
  views: Pick<SchemaViews, 'answer'>;
  diagnostics: DiagnosticCollector;
}

/**
 * The operation's `x-mcp`, with `tools` of the configuration, wins over the document's.
 *
 * @param takenNames the tool's arguments
 */
export function deriveAnswerRules(
  operation: Operation,
  tool: string,
  takenNames: ReadonlySet<string>,
  context: Context,
): AnswerRules {
  const { source, settings, views } = context;
  const { output: operationRule = {}, fields: fieldsSetting } = operation.xMcp ?? {};
  const shared = source.xMcp?.output ?? {};
  const hasFields = fieldsSetting ?? source.xMcp?.fields;
  const isRuled = [operationRule, shared].some(({ select, drop }) => (select ?? drop) !== undefined);
  if (!isRuled && !hasFields) return {};
  const answer = joinAnswerSchemas(operation, views.answer);
  const names = answer === undefined ? undefined : collectAnswerNames(answer, views.answer);
  const placeOf = (member: 'output' | 'fields') =>
    settings.tools.placeOf({ ...operation, name: tool }, member) ?? operation.origin;
  for (const { path, near } of findUnknownPaths(
    [...(operationRule.select ?? []), ...(operationRule.drop ?? [])],
    names ?? true,
  ))
    context.diagnostics.report(
      'rule-without-effect',
      {
        what: `A rule for the answers of \`${tool}\` names \`${path}\`, which the document does not describe`,
        suggestion: near ?? '',
        fix: 'Correct the name, or describe the member in the response schema.',
      },
      { at: placeOf('output') },
    );
  const rule = mergeOutputRules(operationRule, shared, names ?? true);
  const memberNames = names === undefined ? {} : (pickAndDropMembers(names as Json, rule) as MemberNames);
  const isChoice = memberNames === true || Object.keys(memberNames).length > 0;
  if (fieldsSetting === true && !isChoice) {
    const what = `The answer of \`${tool}\` has no members in JSON that \`fields\` could name`;
    context.diagnostics.report('rule-without-effect', { what, suggestion: '' }, { at: placeOf('fields') });
  }
  if (!hasFields || !isChoice) return rule;
  const wrapped = findObjectShape(answer, views.answer) === undefined || undefined;
  const argument = takenNames.has('fields')
    ? findFreeName('result_fields', (name) => takenNames.has(name))
    : 'fields';
  return {
    ...rule,
    fields: omitUndefined({ argument, names: memberNames, wrapped }),
  };
}

/** Rules of the document are for all operations, so only the names that an answer has count. */
function mergeOutputRules(
  operationRule: OutputRule,
  shared: OutputRule,
  names: MemberNames,
): Pick<ResultBinding, 'select' | 'drop'> {
  const keepKnownPaths = (paths: readonly string[] = []): readonly string[] =>
    paths.filter((path) => findUnknownPaths([path], names).length === 0);
  // An empty list undoes the rule of an outer level.
  const parseSelection = (paths: readonly string[]): ResultBinding['select'] =>
    paths.length === 0 ? undefined : parseMemberPaths(paths);
  return omitUndefined({
    select: parseSelection(operationRule.select ?? keepKnownPaths(shared.select)),
    drop: parseSelection(operationRule.drop ?? keepKnownPaths(shared.drop)),
  });
}

/** Joins the schemas of all successes in JSON; undefined if the document describes none. */
function joinAnswerSchemas(operation: Operation, view: SchemaView): JsonSchema | undefined {
  const answers = successResponses(operation)
    .map((response) => chooseAnswerSchema({ ...operation, responses: [response] }, view))
    .filter((schema) => schema !== undefined)
    .map((schema) => view.rewriteSchema(schema));
  return answers.length > 1 ? { anyOf: answers } : answers[0];
}

export function addFieldsArgument<T extends ObjectSchema>(input: T, { fields }: AnswerRules): T {
  if (fields === undefined) return input;
  const description = `Members of the answer to return, with dots through objects and lists: ${exampleMemberNames(fields.names)}. Default: all.`;
  const listed = {
    type: 'array',
    items: { type: 'string', maxLength: MAX_NAME },
    maxItems: MOST_NAMES,
    description,
  } as const;
  return { ...input, properties: { ...input.properties, [fields.argument]: listed } };
}

/** Gives two names as an example: the first, and the first one that leads deeper. */
function exampleMemberNames(names: MemberNames): string {
  if (names === true) return '`id` or `owner.name`';
  const entries = Object.entries(names).filter(([name]) => /^\w{1,40}$/.test(name));
  const [first = 'id'] = entries[0] ?? [];
  const inner = entries.flatMap(([name, below]) =>
    below === true ? [] : Object.keys(below).map((key) => `${name}.${key}`),
  );
  const deeper = inner.find((path) => /^\w{1,40}\.\w{1,40}$/.test(path));
  return deeper === undefined ? `\`${first}\`` : `\`${first}\` or \`${deeper}\``;
}

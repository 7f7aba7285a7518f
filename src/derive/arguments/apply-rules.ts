/** Applies the rules for single arguments: hidden, renamed, described, with a value that the server knows. */
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import { nearest } from '../../../templates/runtime/validate.ts';
import type { KnownArgument } from '../../model/bindings.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { ArgumentRule, MediaType, Operation } from '../../model/source-model.ts';
import { omitUndefined } from '../../util/collections.ts';
import { findNameFault } from '../names/clean-name.ts';
import { type SchemaView, resolveLoneReference } from '../schema/schema-view.ts';
import { isSchemaObject } from '../../model/schema-walk.ts';
import type { ConfiguredArguments } from '../tool-rules.ts';
import { type ToolArgument, longestArgument } from './argument-schema.ts';

export interface RuleContext {
  /** The tool's name. */
  tool: string;
  /** The last one wins. */
  configured: readonly ConfiguredArguments[];
  /** `x-mcp.arguments` of the document, for every operation that has such an argument. Default none. */
  shared: Record<string, ArgumentRule> | undefined;
  media: MediaType | undefined;
  view: SchemaView;
  diagnostics: DiagnosticCollector;
}

/**
 * The configuration wins over the operation's `x-mcp.arguments`, that over the document's, and that over `x-mcp` of the
 * item itself.
 */
export function applyArgumentRules(
  list: readonly ToolArgument[],
  operation: Operation,
  context: RuleContext,
): ToolArgument[] {
  const { configured, shared = {}, media } = context;
  const { arguments: ofOperation = {} } = operation.xMcp ?? {};
  reportUnused(ofOperation, list, operation, context);
  for (const { note } of configured) note(list.flatMap(({ argument, name }) => [argument, name]));
  // A body that is one argument has no arguments for the rules of its properties, so these are reported too.
  const ofBody = list.filter((argument) => argument.in === 'body');
  if (media?.rules !== undefined) reportUnused(media.rules, ofBody, operation, context);
  const takenNames = new Set(list.map(({ argument }) => argument));
  const reportOfDocument: ConfiguredArguments['report'] = (argument, because) => {
    const parameters = { argument, tool: context.tool, because };
    context.diagnostics.report('argument-rule-unusable', parameters, { at: operation.origin });
  };
  const ruleSets: Partial<ConfiguredArguments>[] = [{ rules: shared }, { rules: ofOperation }, ...configured];
  return list.flatMap((argument) => {
    const documentRule =
      argument.in === 'body'
        ? findArgumentRule(media?.rules ?? {}, [argument.name])
        : argument.parameter?.rule;
    const matching = ruleSets.map(({ rules = {}, report }) => ({
      report,
      rule: findArgumentRule(rules, [argument.name, argument.argument]),
    }));
    const all = [documentRule, ...matching.map(({ rule }) => rule)].filter((rule) => rule !== undefined);
    if (all.length === 0) return [argument];
    const { report = reportOfDocument } = matching.findLast(({ rule }) => rule !== undefined) ?? {};
    return applyArgumentRule(argument, all.reduce(mergeArgumentRules), takenNames, {
      view: context.view,
      report: (because) => report(argument.argument, because),
    });
  });
}

/** A value of the later rule, or its `hide: false`, replaces how the earlier one knows the value. */
function mergeArgumentRules(earlier: ArgumentRule, override: ArgumentRule): ArgumentRule {
  const cleared: Partial<Record<keyof ArgumentRule, undefined>> = {};
  const hasValue =
    override.const !== undefined || override.env !== undefined || override.default !== undefined;
  if (hasValue || override.hide === false) cleared.const = cleared.env = undefined;
  if (hasValue) cleared.default = undefined;
  return omitUndefined({ ...earlier, ...cleared, ...override });
}

function findArgumentRule(
  rules: Record<string, ArgumentRule>,
  names: readonly string[],
): ArgumentRule | undefined {
  const name = names.find((name) => Object.hasOwn(rules, name));
  return name === undefined ? undefined : ownMember(rules, name);
}

function reportUnused(
  rules: Record<string, ArgumentRule>,
  list: readonly ToolArgument[],
  { origin }: Operation,
  { tool, diagnostics }: RuleContext,
): void {
  for (const name of Object.keys(rules)) {
    const argumentNames = list.flatMap((argument) => [argument.argument, argument.name]);
    if (argumentNames.includes(name)) continue;
    const what = `The tool \`${tool}\` has no argument \`${name}\``;
    diagnostics.report(
      'rule-without-effect',
      { what, suggestion: nearest(name, argumentNames) ?? '' },
      { at: origin },
    );
  }
}

/** Applies a rule to an argument. Returns undefined if the rule removes the argument from every request. */
function applyArgumentRule(
  given: ToolArgument,
  rule: ArgumentRule,
  takenNames: Set<string>,
  { view, report }: { view: SchemaView; report: (because: string) => void },
): ToolArgument[] {
  const { argument } = given;
  const changed = { ...given, schema: { ...given.schema } };
  const constant = knownValueOf(rule, given, view);
  if (constant !== undefined) return [{ ...changed, constant, hidden: true, required: false }];
  if (rule.hide === true) {
    if (!given.required) return [];
    report('it is hidden and required, but has no `default`, `const` or `env`, so it stays listed');
  }
  if (rule.name !== undefined && rule.name !== argument) {
    const fault = takenNames.has(rule.name)
      ? 'another argument has that name'
      : findNameFault(rule.name, longestArgument);
    if (fault === undefined) {
      takenNames.add(rule.name);
      changed.argument = rule.name;
    } else report(`it can't be renamed to \`${rule.name}\`: ${fault}`);
  }
  if (rule.description !== undefined) changed.schema.description = rule.description;
  if (rule.default === undefined) return [changed];
  changed.schema.default = rule.default;
  return [{ ...changed, required: false, constant: { value: rule.default, isDefault: true } }];
}

/** Returns how the server knows the value; undefined if clients may give the argument. */
function knownValueOf(
  { hide, const: constant, env, default: value }: ArgumentRule,
  { schema }: ToolArgument,
  view: SchemaView,
): KnownArgument | undefined {
  if (constant !== undefined) return { value: constant };
  if (env === undefined) return hide === true && value !== undefined ? { value } : undefined;
  const target = resolveLoneReference(schema, view);
  const isJson =
    isSchemaObject(target) && target.type !== undefined && ![target.type].flat().includes('string');
  return { env, ...(value !== undefined && { value }), ...(isJson && { isJson }) };
}

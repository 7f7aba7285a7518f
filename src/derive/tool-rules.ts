/**
 * Gives single tools what `tools` of the configuration says of them, whatever their source. Done last, so that the lock keeps
 * what the source says. Arguments and answers of operations have their rules already.
 */
import { ownMember } from '../../templates/runtime/json-rpc.ts';
import type { ObjectSchema } from '../util/json-schema.ts';
import { type ToolAnnotations, SURFACE_TOOLS, fillInHints } from '../model/listed-items.ts';
import { nearest } from '../../templates/runtime/validate.ts';
import type { ToolRules } from '../config/options/tool-rules.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Resource, ResourceTemplate, ServerModel, Tool } from '../model/server-model.ts';
import { omitUndefined } from '../util/collections.ts';
import { reportContradictoryHints } from './annotations.ts';
import { keepToolsAndResources } from './merge-surfaces.ts';
import { findNameFault } from './names/clean-name.ts';
import { NAME_LENGTH } from '../config/options/values.ts';

type Report = (what: string, nearest?: { word: string; candidates: readonly string[] }) => void;

/** The keys of `rules` are the names that tools have without them. */
export function applyToolRules(
  model: ServerModel,
  rules: Record<string, ToolRules> = {},
  diagnostics: DiagnosticCollector,
): ServerModel {
  if (Object.keys(rules).length === 0) return model;
  const { tools } = model;
  const toolNames = tools.map(({ name }) => name);
  const report: Report = (what, near) =>
    diagnostics.report(
      'rule-without-effect',
      { what, suggestion: (near && nearest(near.word, near.candidates)) ?? '' },
      { at: tools[0]?.origin },
    );
  for (const name of Object.keys(rules))
    if (!toolNames.includes(name))
      report(`The configuration has rules for \`${name}\`, but there is no such tool`, {
        word: name,
        candidates: toolNames,
      });
  const rulesOf = (name: string): ToolRules => ownMember(rules, name) ?? {};
  for (const { name, origin } of tools)
    reportContradictoryHints(`\`${name}\``, rulesOf(name).annotations ?? {}, origin, diagnostics);
  const names = chooseNewNames(tools, rulesOf, report);
  const ruled = {
    ...model,
    tools: tools.map((tool) =>
      applyRulesToTool(tool, rulesOf(tool.name), names.get(tool.name) ?? tool.name, report),
    ),
    resources: model.resources.map((resource) => renameToolInResource(resource, names)),
    resourceTemplates: model.resourceTemplates.map((resourceTemplate) =>
      renameToolInResource(resourceTemplate, names),
    ),
  };
  const hidden = new Set(
    tools.filter(({ name }) => rulesOf(name).hide === true).map(({ name }) => names.get(name) ?? name),
  );
  return hidden.size === 0 ? ruled : keepToolsAndResources(ruled, ({ name }) => !hidden.has(name));
}

/** A name that clients refuse, or that another tool has, is not given. */
function chooseNewNames(
  tools: readonly Tool[],
  rulesOf: (name: string) => ToolRules,
  report: Report,
): Map<string, string> {
  const names = new Map<string, string>();
  const takenNames = new Set([...tools.map(({ name }) => name), ...SURFACE_TOOLS]);
  for (const { name } of tools) {
    const { name: newName = name } = rulesOf(name);
    if (newName === name) continue;
    const fault =
      findNameFault(newName, NAME_LENGTH.longest, 'models') ??
      (takenNames.has(newName) ? 'another tool has it' : undefined);
    if (fault !== undefined) {
      report(`The name \`${newName}\` of the configuration for \`${name}\` is not used: ${fault}`);
      continue;
    }
    takenNames.add(newName);
    names.set(name, newName);
  }
  return names;
}

function applyRulesToTool(tool: Tool, rules: ToolRules, name: string, report: Report): Tool {
  const { title, description, annotations, pin } = rules;
  const { pin: pinned, ...rest } = tool;
  const isPinned = pin ?? pinned ?? false;
  return {
    ...rest,
    ...omitUndefined({ title, description }),
    name,
    ...(tool.binding.kind === 'function' && { inputSchema: applyRulesToFunction(tool, rules, report) }),
    ...(annotations && { annotations: mergeHints(tool, annotations) }),
    ...(isPinned && { pin: true as const }),
  };
}

/** The code of a function fixes what it takes, so rules can only describe its arguments and hide optional ones. */
function applyRulesToFunction(
  { name, inputSchema }: Tool,
  { arguments: rules = {}, output, fields }: ToolRules,
  report: Report,
): ObjectSchema {
  if (output !== undefined || fields !== undefined)
    report(`\`output\` and \`fields\` of \`${name}\` do nothing, since it is a function`);
  let schema = inputSchema;
  for (const [argument, { hide = false, description, ...others }] of Object.entries(rules)) {
    const candidates = Object.keys(schema.properties ?? {});
    const [unfit] = Object.keys(others);
    if (!candidates.includes(argument))
      report(`The tool \`${name}\` has no argument \`${argument}\``, { word: argument, candidates });
    else if (unfit !== undefined)
      report(`\`${unfit}\` of the argument \`${argument}\` does nothing, since \`${name}\` is a function`);
    else if (hide && schema.required?.includes(argument) === true)
      report(`The argument \`${argument}\` of \`${name}\` is not hidden, since it is required`);
    else if (hide) schema = removeArgument(schema, argument);
    else schema = replaceArgumentDescription(schema, argument, description);
  }
  return schema;
}

/** Hints of the configuration win over those of the source. */
function mergeHints({ annotations }: Tool, hints: ToolAnnotations): ToolAnnotations {
  const implied = hints.readOnlyHint === true ? { destructiveHint: false } : {};
  return fillInHints({ ...annotations, ...implied, ...hints });
}

function removeArgument(schema: ObjectSchema, argument: string): ObjectSchema {
  const { [argument]: hidden, ...properties } = schema.properties ?? {};
  void hidden;
  return { ...schema, properties };
}

function replaceArgumentDescription(
  schema: ObjectSchema,
  argument: string,
  description: string | undefined,
): ObjectSchema {
  const before = ownMember(schema.properties ?? {}, argument);
  if (description === undefined || before === undefined) return schema;
  const property = before === true ? { description } : before === false ? before : { ...before, description };
  return { ...schema, properties: { ...schema.properties, [argument]: property } };
}

function renameToolInResource<T extends Resource | ResourceTemplate>(
  item: T,
  names: ReadonlyMap<string, string>,
): T {
  const { binding } = item;
  const name = binding.do.kind === 'tool' ? names.get(binding.do.name) : undefined;
  return name === undefined ? item : { ...item, binding: { ...binding, do: { ...binding.do, name } } };
}

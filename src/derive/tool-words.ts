/** Gives single tools the words of the configuration, whatever their source. Done last, so that the lock keeps what the source says. */
import { ownMember } from '../../templates/runtime/json-rpc.ts';
import type { ObjectSchema } from '../util/json-schema.ts';
import { type ToolAnnotations, SURFACE_TOOLS, fillInHints } from '../model/listed-items.ts';
import { nearest } from '../../templates/runtime/validate.ts';
import type { ToolWords } from '../config/options/tool-words.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Resource, ResourceTemplate, ServerModel, Tool } from '../model/server-model.ts';
import { omitUndefined } from '../util/collections.ts';
import { reportContradictoryHints } from './annotations.ts';
import { keepToolsAndResources } from './merge-surfaces.ts';
import { findNameFault } from './names/clean-name.ts';
import { NAME_LENGTH } from '../config/options/values.ts';

type Report = (what: string, nearest?: { word: string; candidates: readonly string[] }) => void;

/** The keys of `words` are the names that tools have without them. */
export function applyToolWords(
  model: ServerModel,
  toolWords: Record<string, ToolWords> = {},
  diagnostics: DiagnosticCollector,
): ServerModel {
  if (Object.keys(toolWords).length === 0) return model;
  const { tools } = model;
  const toolNames = tools.map(({ name }) => name);
  const report: Report = (what, near) =>
    diagnostics.report(
      'rule-without-effect',
      { what, suggestion: (near && nearest(near.word, near.candidates)) ?? '' },
      { at: tools[0]?.origin },
    );
  for (const name of Object.keys(toolWords))
    if (!toolNames.includes(name))
      report(`The configuration has words for \`${name}\`, but there is no such tool`, {
        word: name,
        candidates: toolNames,
      });
  for (const { name, origin } of tools)
    reportContradictoryHints(
      `\`${name}\``,
      findToolWords(toolWords, name).annotations ?? {},
      origin,
      diagnostics,
    );
  const names = chooseNewNames(tools, toolWords, report);
  const worded = {
    ...model,
    tools: tools.map((tool) =>
      applyWordsToTool(tool, findToolWords(toolWords, tool.name), names.get(tool.name) ?? tool.name, report),
    ),
    resources: model.resources.map((resource) => renameToolInResource(resource, names)),
    resourceTemplates: model.resourceTemplates.map((resourceTemplate) =>
      renameToolInResource(resourceTemplate, names),
    ),
  };
  const hidden = new Set(
    tools
      .filter(({ name }) => findToolWords(toolWords, name).hide === true)
      .map(({ name }) => names.get(name) ?? name),
  );
  return hidden.size === 0 ? worded : keepToolsAndResources(worded, ({ name }) => !hidden.has(name));
}

function findToolWords(toolWords: Record<string, ToolWords>, name: string): ToolWords {
  return Object.hasOwn(toolWords, name) ? (toolWords[name] ?? {}) : {};
}

/** A name that clients refuse, or that another tool has, is not given. */
function chooseNewNames(
  tools: readonly Tool[],
  toolWords: Record<string, ToolWords>,
  report: Report,
): Map<string, string> {
  const names = new Map<string, string>();
  const takenNames = new Set([...tools.map(({ name }) => name), ...SURFACE_TOOLS]);
  for (const { name } of tools) {
    const { name: newName = name } = findToolWords(toolWords, name);
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

function applyWordsToTool(tool: Tool, toolWords: ToolWords, name: string, report: Report): Tool {
  const { title, description, annotations, pin, arguments: rules = {} } = toolWords;
  const inputSchema = Object.entries(rules).reduce<ObjectSchema>((schema, [argument, rule]) => {
    if (!Object.hasOwn(schema.properties ?? {}, argument)) {
      const near = { word: argument, candidates: Object.keys(schema.properties ?? {}) };
      report(
        `The configuration has words for the argument \`${argument}\` of \`${tool.name}\`, which has none of that name`,
        near,
      );
      return schema;
    }
    if (rule.hide === true && schema.required?.includes(argument) === true) {
      report(`The argument \`${argument}\` of \`${tool.name}\` is not hidden, since it is required`);
      return schema;
    }
    return rule.hide === true
      ? removeArgument(schema, argument)
      : replaceArgumentDescription(schema, argument, rule.description);
  }, tool.inputSchema);
  const { pin: pinned, ...rest } = tool;
  const isPinned = pin ?? pinned ?? false;
  return {
    ...rest,
    ...omitUndefined({ title, description }),
    name,
    inputSchema,
    ...(annotations && { annotations: mergeHints(tool, annotations) }),
    ...(isPinned && { pin: true as const }),
  };
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

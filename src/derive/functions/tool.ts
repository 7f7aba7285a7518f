import type { FunctionBinding } from '../../../templates/runtime/contract/bindings.ts';
import type { ObjectSchema } from '../../../templates/runtime/contract/json-schema.ts';
import type { Tool } from '../../model/server-model.ts';
import type { FunctionTool } from '../../model/source-model.ts';
import { composition } from '../../model/schema-walk.ts';
import { trimText } from '../text/trim-text.ts';
import { sentenceOf } from '../text/words.ts';
import { argumentsOf, type FunctionsContext, nameOf, withDefs, withDeprecation } from './context.ts';
import { definedMembers } from '../../util/defined-members.ts';

export function deriveTool(tool: FunctionTool, context: FunctionsContext): Tool {
  const name = nameOf(tool, context);
  const { input, binding } = argumentsOf(tool, context);
  const output = deriveOutput(tool, name, context);
  const keyword = composition.find((each) => input[each] !== undefined);
  if (keyword !== undefined)
    context.diagnostics.report('choice-at-top', { tool: name, keyword }, { at: tool.origin });
  const description = describeTool(tool, context);
  return {
    name,
    title: tool.title ?? (sentenceOf(tool.name) || name),
    ...(description === '' ? {} : { description }),
    ...definedMembers({ icons: tool.icons }),
    inputSchema: withDefs(input, context.view),
    ...definedMembers({ outputSchema: output?.schema }),
    ...(Object.keys(tool.annotations).length === 0 ? {} : { annotations: tool.annotations }),
    ...definedMembers({ execution: tool.execution }),
    binding:
      output?.wrapped === true ? { ...binding, result: { ...binding.result, wrapped: true } } : binding,
    ...(tool.prepare && { prepare: renamed(tool.prepare, binding) }),
    scopes: tool.scopes,
    tags: [],
    origin: tool.origin,
  };
}

/** The preparing function gets the tool's arguments under their listed names. */
function renamed(binding: FunctionBinding, { properties }: FunctionBinding): FunctionBinding {
  return properties === undefined ? binding : { ...binding, properties };
}

function describeTool(tool: FunctionTool, { settings }: FunctionsContext): string {
  const { description = '', title = '', name } = tool;
  const text = description || title || sentenceOf(name);
  return trimText(withDeprecation(tool, text), settings.descriptionBudget);
}

function deriveOutput(
  { output, optional, origin }: FunctionTool,
  tool: string,
  { settings, outputs, diagnostics }: FunctionsContext,
): { schema: ObjectSchema; wrapped: boolean } | undefined {
  if (output === undefined) return undefined;
  const derived = outputs.ofValue(output, optional);
  if (derived.kind === 'schema') return derived;
  if (derived.kind === 'too-large')
    diagnostics.report(
      'output-schema-too-large',
      { tool, limit: settings.outputSchemaLimit },
      { at: origin },
    );
  return undefined;
}

/** Large lists have no output schemas by default: clients compile each of them, and models hardly read them. */
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { Origin } from '../../model/origin.ts';
import type { ServerModel, Tool } from '../../model/server-model.ts';
import type { DeriveOptions } from '../options.ts';

export const MOST_TOOLS_WITH_OUTPUT = 100;

/** Whether the option leaves the decision to the size of the list. */
export function decidesOutputsBySize({ outputSchema, lockedOutputs }: DeriveOptions): boolean {
  return outputSchema === undefined && lockedOutputs === undefined;
}

/** The decision of an earlier run stays, so that a list that grows or shrinks doesn't change all of its tools. */
export function applyLockedOutputs<O extends DeriveOptions>(options: O): O {
  const isOff = options.outputSchema === undefined && options.lockedOutputs === 'off';
  return isOff ? { ...options, outputSchema: 'off' } : options;
}

/** @param options as the user gave them */
export function dropCostlyOutputs(
  model: ServerModel,
  options: DeriveOptions,
  at: Origin | undefined,
  diagnostics: DiagnosticCollector,
): ServerModel {
  const { tools } = model;
  const isLarge = decidesOutputsBySize(options) && tools.length > MOST_TOOLS_WITH_OUTPUT;
  if (options.outputSchema !== undefined || (!isLarge && options.lockedOutputs !== 'off')) return model;
  const figures = { tools: tools.length, limit: MOST_TOOLS_WITH_OUTPUT };
  if (tools.some(({ binding }) => binding.result !== undefined))
    diagnostics.report('output-schema-left-out', figures, { at });
  return { ...model, tools: tools.map(dropOutputSchema), outputSchemas: 'off' };
}

function dropOutputSchema({ outputSchema, ...tool }: Tool): Tool {
  const { binding } = tool;
  if (outputSchema === undefined || binding.kind === 'steps' || binding.result?.wrapped !== true) return tool;
  const result = { ...binding.result };
  delete result.wrapped;
  return { ...tool, binding: { ...binding, result } as Tool['binding'] };
}

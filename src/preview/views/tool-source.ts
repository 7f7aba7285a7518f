/** Finds what a tool was made from. */
import type { ToolRules } from '../../config/options/option-types.ts';
import { ConfiguredTools } from '../../derive/index.ts';
import type { Tool } from '../../model/server-model.ts';
import type { Operation } from '../../model/source-model.ts';
import { omitUndefined } from '../../util/collections.ts';
import type { CompiledServer } from '../workspace.ts';

export interface ToolSource {
  /** The tool with the name of the lock. */
  derived?: Tool;
  /** Absent for a function. */
  operation?: Operation;
  /** What the configuration says; empty if nothing. */
  rules: ToolRules;
}

export function findToolSource(
  tool: Tool,
  { options, report: { derived, parts = [] } }: CompiledServer,
): ToolSource {
  const before =
    derived?.tools.find(({ origin }) => origin === tool.origin) ??
    derived?.tools.find((each) => isSame(each, tool));
  const operation = parts
    .flatMap(({ source }) => source.capabilities)
    .find(
      (capability): capability is Operation =>
        capability.kind === 'operation' && (capability.origin === tool.origin || isSame(capability, tool)),
    );
  return {
    ...omitUndefined({ derived: before, operation }),
    rules: new ConfiguredTools(omitUndefined({ tools: options?.tools })).rulesOf(before ?? tool),
  };
}

/** Compares origins by value, since hooks get copies of the tools. */
function isSame(one: Pick<Tool, 'origin'>, other: Pick<Tool, 'origin'>): boolean {
  return JSON.stringify(one.origin) === JSON.stringify(other.origin);
}

/** A rule of `lint` and its findings. */
import { createDiagnostic, type Diagnostic } from '../diagnostics/collector.ts';
import type { ParametersOf } from '../diagnostics/registry.ts';
import type { lintDiagnostics } from '../diagnostics/registry/lint.ts';
import type { Origin } from '../model/origin.ts';
import { omitUndefined } from '../util/collections.ts';
import type { LintedServer, LintedTool } from './linted-server.ts';

export type RuleName = Extract<keyof typeof lintDiagnostics, string>;

export interface Rule {
  /** Name of the rule's diagnostic, which has code, message and page. */
  name: RuleName;
  title: string;
  /** Most points of 100 that the rule takes from a tool's score. */
  cost: number;
  /** Whether `--fix` can end some of its findings with words of the source alone. */
  isFixable: boolean;
  check: (server: LintedServer) => Finding[];
}

export interface Finding {
  rule: RuleName;
  diagnostic: Diagnostic;
  /** Names of the tools that lose points. */
  tools: string[];
  /** Points of 100. Default: those of the rule. */
  cost?: number;
  /** The argument that it is about, as clients see it. */
  argument?: string;
  /** Present if an overlay can end the finding with words of the source. */
  fix?: ToolFix;
}

/** `--fix` writes this as `x-mcp` of the operation. */
export interface ToolFix {
  description?: string;
  arguments?: Record<string, { description: string }>;
}

interface Details {
  cost?: number | undefined;
  fix?: ToolFix | undefined;
  at?: Origin;
  argument?: string;
  /** Other tools that the finding is about, beside the tool itself. */
  otherTools?: string[];
}

export function makeFinding<N extends RuleName>(
  rule: N,
  parameters: ParametersOf<N>,
  { tool, document }: Pick<LintedTool, 'tool' | 'document'>,
  { at = tool.origin, otherTools = [], argument, cost, fix }: Details = {},
): Finding {
  const diagnostic = createDiagnostic(rule, parameters, { at });
  return {
    rule,
    diagnostic,
    tools: [tool.name, ...otherTools],
    ...omitUndefined({ argument, cost, fix: document === undefined ? undefined : fix }),
  };
}

import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import { nearest } from '../../../templates/runtime/validate.ts';
import type { Binding, CompletionBinding, PromptBinding, ToolReference } from '../../model/bindings.ts';
import type { JsonSchema } from '../../util/json-schema.ts';
import type { Prompt, ResourceTemplate } from '../../model/server-model.ts';
import type { FunctionCompletion, FunctionPrompt, FunctionResource } from '../../model/source-model.ts';
import type { SchemaView } from '../schema/schema-view.ts';
import { inlineReference } from '../../model/schema-walk.ts';
import type { FunctionsContext } from './context.ts';

export interface Completed {
  prompts: readonly { of: FunctionPrompt; prompt: Prompt }[];
  templates: readonly { of: FunctionResource; template: ResourceTemplate }[];
}

interface Target {
  ref: CompletionBinding['ref'];
  /** The names by which `@complete <name>.<argument>` may refer to the prompt or resource template; the listed name comes first. */
  names: readonly string[];
  arguments: readonly string[];
  binding: Binding | ToolReference | PromptBinding;
}

export function deriveCompletions(
  sources: readonly FunctionCompletion[],
  completed: Completed,
  { view, diagnostics }: FunctionsContext,
): CompletionBinding[] {
  const targets = [
    ...completed.prompts.map(({ of, prompt: { name, binding, arguments: args = [] } }) => ({
      ref: { kind: 'prompt' as const, name },
      names: [name, of.name],
      arguments: args.map((argument) => argument.name),
      binding,
    })),
    ...completed.templates.map(({ of, template: { name, uriTemplate: uri, binding } }) => ({
      ref: { kind: 'resource' as const, uri },
      names: [name, uri, of.name],
      arguments: Object.keys(binding.schemas ?? {}),
      binding: binding.do,
    })),
  ];
  const completions: CompletionBinding[] = [];
  for (const { of, argument: argumentName, binding, origin } of sources) {
    const called = `${of}.${argumentName}`;
    const match = findCompletionTarget(called, targets);
    if (match === undefined) {
      const candidates = targets.flatMap((target) =>
        target.arguments.map((name) => `${target.names[0] ?? ''}.${name}`),
      );
      const suggestion = nearest(called, candidates) ?? '';
      const expectation = 'an argument of a prompt or of a resource template';
      const parameters = { tag: 'complete', target: called, wanted: expectation, suggestion: suggestion };
      diagnostics.report('helper-without-target', parameters, { at: origin });
    } else if (
      completions.some(
        (completion) => completion.ref === match.target.ref && completion.argument === match.argument,
      )
    ) {
      const name = binding.method ?? binding.export;
      const problem = `another function completes ${called}`;
      diagnostics.report('unfit-function', { name, tag: 'complete', problem }, { at: origin });
    } else {
      // The function gets the other arguments under the names that they have in the code.
      const properties = argumentNamesInCode(match.target);
      const from = Object.keys(properties).length === 0 ? binding : { ...binding, properties };
      completions.push({ ref: match.target.ref, argument: match.argument, from });
    }
  }
  const fixed = targets.flatMap(({ ref, arguments: args, binding }) =>
    args.flatMap((argument): CompletionBinding[] => {
      const isMade = completions.some(
        (completion) => completion.argument === argument && completion.ref === ref,
      );
      const input = binding.kind === 'function' ? binding.input : undefined;
      const values = isMade ? [] : listCompletionValues(ownMember(input?.properties ?? {}, argument), view);
      return values.length === 0 ? [] : [{ ref, argument, from: { kind: 'values', values } }];
    }),
  );
  return [...completions, ...fixed];
}

/** Finds the argument of `<name>.<argument>`, by its listed name or by its name in the code. */
function findCompletionTarget(
  called: string,
  targets: readonly Target[],
): { target: Target; argument: string } | undefined {
  for (const target of targets) {
    const codeNames = argumentNamesInCode(target);
    const argument = target.arguments.find((listed) =>
      [listed, ownMember(codeNames, listed) ?? listed].some((name) =>
        target.names.some((each) => `${each}.${name}` === called),
      ),
    );
    if (argument !== undefined) return { target, argument };
  }
  return undefined;
}

function argumentNamesInCode({ binding }: Target): Readonly<Record<string, string>> {
  return (binding.kind === 'function' ? binding.properties : undefined) ?? {};
}

function listCompletionValues(schema: JsonSchema | undefined, view: SchemaView): string[] {
  const target = schema === undefined ? undefined : inlineReference(schema, view);
  if (typeof target !== 'object') return [];
  const { type, const: constant, anyOf = [] } = target;
  const values = target.enum ?? (constant === undefined ? undefined : [constant]);
  if (values !== undefined) return values.filter((value) => typeof value !== 'object').map(String);
  if (type === 'boolean') return ['true', 'false'];
  return [...new Set(anyOf.flatMap((branch) => listCompletionValues(branch, view)))];
}

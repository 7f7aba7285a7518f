import type { CompletionBinding } from '../../../templates/runtime/bindings.ts';
import type { JsonSchema } from '../../../templates/runtime/schema/json-schema.ts';
import type { Prompt, ResourceTemplate } from '../../model/server-model.ts';
import type { FunctionCompletion } from '../../model/source-model.ts';
import { nearest } from '../nearest.ts';
import { type SchemaView, writtenOut } from '../schema-view.ts';
import type { FunctionsContext } from './context.ts';

/** Those of functions, and of arguments whose type leaves a choice. */
export function completionsOf(
  sources: FunctionCompletion[],
  { prompts, resourceTemplates }: { prompts: Prompt[]; resourceTemplates: ResourceTemplate[] },
  { settings: { prefix }, view, diagnostics }: FunctionsContext,
): CompletionBinding[] {
  const targets = [
    ...prompts.map(({ name, binding, arguments: args = [] }) => ({
      ref: { kind: 'prompt' as const, name },
      names: [name],
      arguments: args.map((each) => each.name),
      input: binding.kind === 'function' ? binding.input : undefined,
    })),
    ...resourceTemplates.map(({ name, uriTemplate: uri, binding }) => ({
      ref: { kind: 'resource' as const, uri },
      names: [name, uri],
      arguments: Object.keys(binding.schemas ?? {}),
      input: binding.do.kind === 'function' ? binding.do.input : undefined,
    })),
  ];
  const taken = new Set<string>();
  const made = sources.flatMap(({ of, argument, binding, origin }): CompletionBinding[] => {
    const target = targets.find(
      ({ names, arguments: args }) =>
        (names.includes(of) || names.includes(`${prefix}${of}`)) && args.includes(argument),
    );
    if (target !== undefined) {
      const isTaken = taken.has(`${target.names[0] ?? ''} ${argument}`);
      taken.add(`${target.names[0] ?? ''} ${argument}`);
      if (!isTaken) return [{ ref: target.ref, argument, from: binding }];
      const name = binding.method ?? binding.export;
      const problem = `another function completes ${of}.${argument}`;
      diagnostics.report('bad-completion', { name, problem }, { at: origin });
      return [];
    }
    const known = targets.flatMap((each) => each.arguments.map((name) => `${each.names[0] ?? ''}.${name}`));
    const meant = nearest(`${of}.${argument}`, known) ?? '';
    diagnostics.report('completion-without-target', { target: `${of}.${argument}`, meant }, { at: origin });
    return [];
  });
  const fixed = targets.flatMap(({ ref, arguments: args, input }) =>
    args.flatMap((argument): CompletionBinding[] => {
      const isMade = made.some((each) => each.argument === argument && each.ref === ref);
      const values = isMade ? [] : choicesOf(input?.properties?.[argument], view);
      return values.length === 0 ? [] : [{ ref, argument, from: { kind: 'values', values } }];
    }),
  );
  return [...made, ...fixed];
}

function choicesOf(schema: JsonSchema | undefined, view: SchemaView): string[] {
  const target = schema === undefined ? undefined : writtenOut(schema, view);
  if (typeof target !== 'object') return [];
  const { type, const: constant, anyOf = [] } = target;
  const values = target.enum ?? (constant === undefined ? undefined : [constant]);
  if (values !== undefined) return values.filter((value) => typeof value !== 'object').map(String);
  if (type === 'boolean') return ['true', 'false'];
  return [...new Set(anyOf.flatMap((each) => choicesOf(each, view)))];
}

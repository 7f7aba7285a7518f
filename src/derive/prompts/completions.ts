import type { CompletionBinding } from '../../../templates/runtime/contract/bindings.ts';
import type { SourcePromptArgument } from '../../model/source-model.ts';
import type { TemplateVariable } from '../resources/resources.ts';

export function completeTemplate(uri: string, variables: readonly TemplateVariable[]): CompletionBinding[] {
  return variables.flatMap(({ name, value }) => completion({ kind: 'resource', uri }, name, value.values));
}

export function completePrompt(
  prompt: string,
  args: readonly { name: string; source: SourcePromptArgument }[],
): CompletionBinding[] {
  return args.flatMap(({ name, source }) =>
    completion({ kind: 'prompt', name: prompt }, name, source.values),
  );
}

function completion(
  ref: CompletionBinding['ref'],
  argument: string,
  values: readonly string[] | undefined,
): CompletionBinding[] {
  if (values === undefined || values.length === 0) return [];
  return [{ ref, argument, from: { kind: 'values', values: [...new Set(values)] } }];
}

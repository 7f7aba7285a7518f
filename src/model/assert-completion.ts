import type { CompletionBinding } from '../../templates/runtime/contract/bindings.ts';
import { variablesOf } from './assert-readable.ts';
import { fail } from './model-error.ts';
import type { ServerModel } from './server-model.ts';

export function assertCompletion(
  { ref, argument }: CompletionBinding,
  completable: ReadonlyMap<string, readonly string[]>,
): void {
  const key = referenceKey(ref);
  if (completable.get(key)?.includes(argument) !== true)
    fail(`completion of ${argument} for ${key}`, 'refers to nothing');
}

/** The arguments of everything a completion may refer to. */
export function argumentsByReference({ prompts, resourceTemplates }: ServerModel): Map<string, string[]> {
  return new Map([
    ...prompts.map(({ name, arguments: args = [] }): [string, string[]] => [
      referenceKey({ kind: 'prompt', name }),
      args.map((each) => each.name),
    ]),
    ...resourceTemplates.map(({ uriTemplate }): [string, string[]] => [
      referenceKey({ kind: 'resource', uri: uriTemplate }),
      variablesOf(uriTemplate),
    ]),
  ]);
}

function referenceKey(ref: CompletionBinding['ref']): string {
  return `${ref.kind} ${ref.kind === 'prompt' ? ref.name : ref.uri}`;
}

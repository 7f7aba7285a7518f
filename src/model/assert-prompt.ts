import type { PromptBinding } from '../../templates/runtime/contract/bindings.ts';
import { assertArgumentName, assertItemName, assertUnique } from './assert-names.ts';
import { fail } from './model-error.ts';
import type { Prompt } from './server-model.ts';

export function assertPrompt({ name, arguments: args = [], binding }: Prompt): void {
  const what = `prompt ${name}`;
  assertItemName(name, what);
  assertUnique(args, (each) => each.name, `argument of ${what}`);
  for (const each of args) assertArgumentName(each.name, what);
  assertMessages(binding, what);
}

function assertMessages(binding: PromptBinding, what: string): void {
  if (binding.kind === 'template' && binding.messages.length === 0) fail(what, 'has no message');
}

/** Puts arguments into a prompt's messages. */
import type { PromptMessageBinding } from '../../bindings.ts';
import type { ListedPromptArgument } from '../../catalog.ts';
import type { PromptMessage } from '../../protocol/content.ts';

/**
 * `{{name}}` becomes the argument's value, or nothing when an optional one is not given. A name that is no argument
 * of the prompt stays as written. Values are not looked into again.
 */
export function fillTemplate(
  messages: readonly PromptMessageBinding[],
  listed: readonly ListedPromptArgument[],
  args: Readonly<Record<string, string>>,
): PromptMessage[] {
  const names = new Set(listed.map(({ name }) => name));
  const fill = (written: string, name: string): string => {
    if (Object.hasOwn(args, name)) return args[name] ?? '';
    return names.has(name) ? '' : written;
  };
  return messages.map(({ role, text }) => ({
    role,
    content: { type: 'text', text: text.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, fill) },
  }));
}

/** Whether the project's own prompts can be listed and got. */
import { isRecord } from '../contract/json-value.ts';
import type { ListedPrompt } from '../contract/catalog.ts';
import { membersOf, placeOf, textFaults } from './fault-words.ts';

export function* promptFaults(prompts: unknown): Generator<string> {
  for (const [name, prompt] of membersOf(prompts)) {
    const place = placeOf('prompts', name);
    if (!isRecord(prompt) || typeof prompt['handler'] !== 'function') {
      yield `${place} must be an object with a \`handler\` function.`;
      continue;
    }
    yield* textFaults(place, prompt);
    if (!isArgumentList(prompt['arguments'] ?? [])) {
      yield `${place}: \`arguments\` must be an array of objects with a \`name\`.`;
    }
  }
}

export function isArgumentList(value: unknown): value is NonNullable<ListedPrompt['arguments']> {
  return Array.isArray(value) && value.every((one) => isRecord(one) && typeof one['name'] === 'string');
}

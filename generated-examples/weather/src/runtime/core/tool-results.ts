/** The tools in a conversation with a model (2025-11-25, Sampling, "Message Content Constraints"). */
import type { SampleMessage, SampleRequest } from '../definition.ts';

/** Why the messages must not be sent: tool uses are answered by the next message, which holds nothing but their results. */
export function toolFault(messages: readonly SampleMessage[]): string | undefined {
  let used: unknown[] = [];
  for (const { role, content } of messages) {
    const blocks = [content].flat();
    const results = blocks.filter(({ type }) => type === 'tool_result').map(({ toolUseId }) => toolUseId);
    if (results.length > 0 && (role !== 'user' || results.length < blocks.length))
      return 'Tool results stand in messages of the user, with nothing else.';
    if (!isSame(used, results)) return 'Each tool use must be answered by a result in the next message.';
    used = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
  }
  return used.length === 0 ? undefined : 'Each tool use must be answered by a result in the next message.';
}

/** Whether a request needs a client that declares `sampling.tools`. */
export function usesTools({ messages, tools, toolChoice }: SampleRequest): boolean {
  const blocks = messages.flatMap(({ content }) => [content].flat());
  return (
    tools !== undefined ||
    toolChoice !== undefined ||
    blocks.some(({ type }) => type === 'tool_use' || type === 'tool_result')
  );
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}

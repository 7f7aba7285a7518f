import { type ReadContext, readRecord } from '../read-context.ts';
import { type RecordNode, memberOf, originOf } from '../reference/source-node.ts';

/** Reports webhooks (`x-webhooks` before OpenAPI 3.1) and returns how many there are. */
export function reportWebhooks(context: ReadContext, root: RecordNode, hasOperations: boolean): number {
  const node = memberOf(root, root.value.webhooks === undefined ? 'x-webhooks' : 'webhooks');
  if (node.value === undefined) return 0;
  const webhooks = readRecord(context, node, '`webhooks`');
  const names = Object.keys(webhooks?.value ?? {}).filter((name) => !name.startsWith('x-'));
  const count = names.length;
  if (count === 0) return 0;
  const at = originOf(node);
  if (hasOperations) context.report('webhooks-left-out', { count, names: some(names) }, { at });
  else context.report('only-webhooks', { source: context.entry.file, count }, { at });
  return count;
}

function some(names: readonly string[]): string {
  return names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')}, …`;
}

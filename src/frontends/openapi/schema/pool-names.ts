import { posix } from 'node:path';
import type { LoadedDocument } from '../load/loaded-document.ts';
import { pointerTokens } from '../reference/json-pointer.ts';
import type { PoolMember } from './schema-pool.ts';

/** Pointer tokens that describe nesting rather than content. */
const structural = new Set([
  ...['components', 'schemas', 'definitions', '$defs', 'properties', 'items', 'schema', 'content', 'paths'],
  ...'responses requestBody parameters allOf anyOf oneOf additionalProperties requestBodies'.split(' '),
]);

/**
 * Names all members uniquely with `[A-Za-z0-9_.-]`. On a clash the entry document's component keeps the name, and
 * others get a hash of their place, whatever the order.
 */
export function assignPoolNames(
  members: readonly PoolMember[],
  entry: LoadedDocument,
): Map<string, PoolMember> {
  const wishes = new Map<string, PoolMember[]>();
  for (const member of members) {
    const wish = deriveName(member);
    const group = wishes.get(wish);
    if (group === undefined) wishes.set(wish, [member]);
    else group.push(member);
  }
  const named = new Map<string, PoolMember>();
  for (const [wish, group] of wishes) {
    for (const member of group) {
      const keeps = group.length === 1 || isOwnComponent(member, wish, entry);
      const name = keeps ? wish : `${wish}_${hash(formatPlace(member, entry))}`;
      named.set(firstFree(name, named, wishes, keeps), member);
    }
  }
  return named;
}

/** A suffixed name may be another member's wish, and hashes may collide. */
function firstFree(
  name: string,
  named: ReadonlyMap<string, PoolMember>,
  wishes: ReadonlyMap<string, PoolMember[]>,
  keeps: boolean,
): string {
  let free = name;
  for (let count = 2; named.has(free) || (!keeps && wishes.has(free)); count += 1) free = `${name}_${count}`;
  return free;
}

function deriveName({ node, variant }: PoolMember): string {
  const tokens = node.pointer === '' ? [fileStem(node.document.file)] : pointerTokens(node.pointer);
  const telling = tokens.filter((token) => !structural.has(token) && !/^\d{1,2}$/.test(token));
  const words = telling.length === 0 ? [fileStem(node.document.file)] : telling;
  const name =
    words
      .join('_')
      .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
      .replaceAll(/^_+|_+$/g, '') || 'Schema';
  return variant === 'base' ? `${name}_base` : name;
}

function fileStem(file: string): string {
  return posix.basename(file.replaceAll('\\', '/').replace(/[?#].*$/s, '')).replace(/\.\w+$/, '');
}

function isOwnComponent({ node, variant }: PoolMember, wish: string, entry: LoadedDocument): boolean {
  const { document, pointer } = node;
  return (
    variant === 'plain' &&
    document === entry &&
    (pointer === `/components/schemas/${wish}` || pointer === `/definitions/${wish}`)
  );
}

/** The place relative to the entry document is the same on every machine. */
function formatPlace({ node, variant }: PoolMember, entry: LoadedDocument): string {
  return `${relativeUri(entry.uri, node.document.uri)}#${node.pointer} ${variant}`;
}

function relativeUri(from: string, to: string): string {
  const [a, b] = [new URL(from), new URL(to)];
  if (a.protocol !== b.protocol || a.host !== b.host) return to;
  return posix.relative(posix.dirname(a.pathname), b.pathname) + b.search;
}

/** FNV-1a, 32 bits: short, and the same everywhere. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value.toString(16).padStart(8, '0').slice(0, 6);
}

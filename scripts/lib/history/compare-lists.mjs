/**
 * Differences of two answers to `tools/list`, found without the compiler: what it says of the difference is
 * judged by this.
 */
import { isDeepStrictEqual } from 'node:util';

/**
 * @param {{ name: string }[]} before
 * @param {{ name: string }[]} after
 * @returns {{ lost: string[], added: string[], changed: string[], same: string[] }} names of tools, in order
 */
export function compareLists(before, after) {
  const now = new Map(after.map((tool) => [tool.name, tool]));
  const old = new Set(before.map(({ name }) => name));
  const both = before.filter(({ name }) => now.has(name));
  const isSame = (tool) => means(tool, now.get(tool.name));
  return {
    lost: before.map(({ name }) => name).filter((name) => !now.has(name)),
    added: after.map(({ name }) => name).filter((name) => !old.has(name)),
    changed: both.filter((tool) => !isSame(tool)).map(({ name }) => name),
    same: both.filter(isSame).map(({ name }) => name),
  };
}

function means(before, after) {
  const { inputSchema: oldInput, outputSchema: oldOutput, ...oldRest } = before;
  const { inputSchema: input, outputSchema: output, ...rest } = after;
  return isDeepStrictEqual(oldRest, rest) && isSameSchema(oldInput, input) && isSameSchema(oldOutput, output);
}

/** Whether two schemas are the same tree once every `$ref` is followed. A pair that is met again on the way is the same. */
function isSameSchema(before, after) {
  const [followOld, followNew] = [follower(before), follower(after)];
  const seen = new Map();
  const same = (one, other) => {
    const [left, right] = [followOld(one), followNew(other)];
    if (!isObject(left) || !isObject(right)) return Object.is(left, right);
    const partners = seen.get(left) ?? new Set();
    if (partners.has(right)) return true;
    seen.set(left, partners.add(right));
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    keys.delete('$defs');
    return (
      Array.isArray(left) === Array.isArray(right) && [...keys].every((key) => same(left[key], right[key]))
    );
  };
  return same(before, after);
}

/** Resolves a schema's `$ref`; returns the same object each time, and siblings of `$ref` win. */
function follower(root) {
  const known = new WeakMap();
  const follow = (schema) => {
    if (!isObject(schema) || typeof schema.$ref !== 'string') return schema;
    if (known.has(schema)) return known.get(schema);
    const { $ref, ...beside } = schema;
    const target = follow(root.$defs[nameOf($ref)]);
    const followed = Object.keys(beside).length === 0 ? target : { ...target, ...beside };
    known.set(schema, followed);
    return followed;
  };
  return follow;
}

/** RFC 6901, in a URI fragment. */
function nameOf(ref) {
  return decodeURIComponent(ref.slice('#/$defs/'.length)).replaceAll('~1', '/').replaceAll('~0', '~');
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

import { suggest } from '../../../../templates/runtime/contract/suggest.ts';
import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import { ownMember } from '../document/record.ts';
import { escapeToken, pointerTokens } from './json-pointer.ts';

/** The homes of components in each version. */
const homes = ['/components/schemas', '/definitions', '/components/parameters', '/components/responses'];

/** Suggests a pointer with the nearest name, or with the same name in its usual home. */
export function suggestTarget(root: unknown, pointer: string): string | undefined {
  const tokens = pointerTokens(pointer);
  const last = tokens.at(-1);
  const near = nearestSibling(root, tokens);
  if (near !== undefined || last === undefined) return near;
  const home = homes.find((place) => valueAt(root, [...pointerTokens(place), last]) !== undefined);
  return home === undefined ? undefined : `${home}/${escapeToken(last)}`;
}

function nearestSibling(root: unknown, tokens: readonly string[]): string | undefined {
  const end = tokens.findIndex((_token, index) => valueAt(root, tokens.slice(0, index + 1)) === undefined);
  const container = valueAt(root, tokens.slice(0, end));
  const wrong = tokens[end];
  if (wrong === undefined || !isRecord(container)) return undefined;
  const name = suggest(wrong, Object.keys(container));
  if (name === undefined) return undefined;
  const right = tokens.with(end, name);
  return valueAt(root, right) === undefined
    ? undefined
    : right.map((token) => `/${escapeToken(token)}`).join('');
}

function valueAt(root: unknown, tokens: readonly string[]): unknown {
  let at = root;
  for (const token of tokens) {
    if (Array.isArray(at)) at = (at as unknown[])[Number(token)];
    else at = isRecord(at) ? ownMember(at, token) : undefined;
  }
  return at;
}

/** Globs skip tests beside the code, unless they have tags. */
import { readFileSync } from 'node:fs';
import { ITEM_TAGS } from '../tags/tag-registry.ts';

const TEST = /\/__tests__\/|\.(?:test|spec)\.[mc]?[jt]sx?$/;

const TAGGED = new RegExp(`@(?:${ITEM_TAGS.join('|')})\\b`);

export function isIdleTest(path: string): boolean {
  return TEST.test(path) && !TAGGED.test(readFileSync(path, 'utf8'));
}

/** Tests that lie beside the code: a glob that finds them does not mean them. */
import { readFileSync } from 'node:fs';
import { ITEM_TAGS } from '../tags/tag-registry.ts';

const TEST = /\/__tests__\/|\.(?:test|spec)\.[mc]?[jt]sx?$/;

const TAGGED = new RegExp(`@(?:${ITEM_TAGS.join('|')})\\b`);

/** Whether a file is one of tests, by its name, and has no tag that would make something of it. */
export function isIdleTest(path: string): boolean {
  return TEST.test(path) && !TAGGED.test(readFileSync(path, 'utf8'));
}

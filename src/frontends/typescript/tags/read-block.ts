/** The JSDoc block before a declaration, for the tags that make something of it. */
import type { ts } from 'ts-morph';
import { type Docs, type DocTag, type Mention, readDocs } from '../docs/read-docs.ts';

export type Block = Docs;
export type Tag = DocTag;
export type { Mention };

/** The block that stands directly before `node`, or before the statement it is the only declaration of. */
export function readBlock(node: ts.Node): Block {
  return readDocs(node);
}

export function tagNamed({ tags }: Block, name: string): Tag | undefined {
  return tags.find((tag) => tag.name === name);
}

/** The first word behind a tag; `''` when there is none. */
export function wordOf({ text }: Tag): string {
  return text.split(/\s/, 1)[0] ?? '';
}

/** The name that a tag gives; of one that it can't give, which has been told, what is left of it. */
export function givenName(tag: Tag): string {
  const word = wordOf(tag);
  return /^[\w.-]{0,128}$/.test(word) ? word : word.replace(/[^\w.-]+/g, '_').slice(0, 64);
}

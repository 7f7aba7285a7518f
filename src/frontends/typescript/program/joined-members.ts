/**
 * JavaScript whose types are JSDoc: TypeScript ends the members of a type (`@property` behind `@typedef`, `@param a.b` behind
 * `@param a`) at any tag that is none of these. What is read here as a part of a member's text is to end nothing.
 */
import { ts } from 'ts-morph';
import { blockLines, parseLines } from '../docs/doc-text.ts';
import { entryOf, nameOfTag } from '../tags/tag-registry.ts';
import { docBlocksOf } from './doc-blocks.ts';

/**
 * Reparses a file with blanks in place of those tags, so that types get all members. Text and positions stay the
 * same.
 */
export function joinedMembers(
  file: ts.SourceFile,
  how: ts.ScriptTarget | ts.CreateSourceFileOptions,
): ts.SourceFile {
  if (!isJavaScript(file) || !/@(?:prop|param|arg)/.test(file.text)) return file;
  const ends = docBlocksOf(file).flatMap((block) => endsIn(block, file));
  if (ends.length === 0) return file;
  const joined = ts.createSourceFile(file.fileName, blanked(file.text, ends), how, true);
  return Object.assign(joined, { text: file.text });
}

export function isJavaScript({ fileName }: ts.SourceFile): boolean {
  return /\.[cm]?jsx?$/.test(fileName);
}

/** Finds tags that TypeScript sees inside a member's text. */
function endsIn(block: ts.JSDoc, file: ts.SourceFile): number[] {
  const { tags } = parseLines(blockLines(file, block.pos, block.end), file);
  const known = new Set(tags.map(({ offset }) => offset));
  return (block.tags ?? [])
    .filter(({ tagName }) => entryOf(nameOfTag(tagName.text))?.values !== undefined)
    .map((tag) => tag.getStart(file))
    .filter((start) => !known.has(start));
}

function blanked(text: string, offsets: readonly number[]): string {
  const units = text.split('');
  for (const offset of offsets) units[offset] = ' ';
  return units.join('');
}

import type { Docs, DocTag } from '../docs/read-docs.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { isOfOtherTool, suggestTagFor } from './other-tags.ts';
import { findTagEntry, isItemTag, type TagEntry, TAGS } from './tag-registry.ts';
import { isValidItemName, reportBadTag } from './tag-values.ts';

type Reporter = Pick<SourceProgram, 'diagnostics' | 'originOfTag'>;

export function checkTags({ tags }: Docs, source: Reporter): void {
  const items = tags.map(({ name }) => name).filter(isItemTag);
  const what = items.map((item) => TAGS[item].makes).join(' and ');
  const says = ({ makes, about = [], isOthersToo }: TagEntry): boolean =>
    makes !== undefined || isOthersToo === true || items.some((item) => about.includes(item));
  checkBlock(tags, what, says, source);
  reportContradictingHints(tags, source);
}

/** A tool that says both hints counts as destructive, so the author is warned. */
function reportContradictingHints(tags: readonly DocTag[], { diagnostics, originOfTag }: Reporter): void {
  const isHintTrue = (name: string): boolean => tags.some((tag) => tag.name === name && tag.text !== 'false');
  const destructive = tags.find(({ name }) => name === 'destructive');
  if (destructive !== undefined && isHintTrue('readOnly') && isHintTrue('destructive'))
    diagnostics.report(
      'hints-contradict',
      { tool: 'The function', reads: '`@readOnly`', destroys: '`@destructive`' },
      { at: originOfTag(destructive) },
    );
}

/** A class's type may be a schema as well. */
export function checkClassTags({ tags }: Docs, source: Reporter): void {
  const says = ({ ofClass, values, makes }: TagEntry): boolean =>
    ofClass === true || values !== undefined || makes !== undefined;
  const ours = tags.filter(({ name }) => findTagEntry(name) !== undefined);
  checkBlock(ours, 'a class: its methods have tags of their own', says, source);
}

function checkBlock(
  tags: readonly DocTag[],
  what: string,
  says: (entry: TagEntry) => boolean,
  source: Reporter,
): void {
  const { diagnostics, originOfTag } = source;
  const seen = new Set<string>();
  for (const tag of tags) {
    const entry = findTagEntry(tag.name);
    if (entry === undefined) reportUnknownTag(tag, what, source);
    else if (!says(entry))
      diagnostics.report('misplaced-tag', { tag: tag.name, what, suggestion: '' }, { at: originOfTag(tag) });
    else checkTagValue(tag, entry, seen, source);
    seen.add(tag.name);
  }
}

function reportUnknownTag(tag: DocTag, what: string, { diagnostics, originOfTag }: Reporter): void {
  const suggestion = suggestTagFor(tag.name) ?? '';
  const at = originOfTag(tag);
  if (!isOfOtherTool(tag.name)) diagnostics.report('unknown-tag', { tag: tag.name, suggestion }, { at });
  else if (suggestion !== '')
    diagnostics.report('misplaced-tag', { tag: tag.name, what, suggestion }, { at });
}

function checkTagValue(tag: DocTag, entry: TagEntry, seen: ReadonlySet<string>, source: Reporter): void {
  const problem =
    seen.has(tag.name) && entry.repeats !== true ? 'occurs a second time' : findValueProblem(tag, entry);
  if (problem !== undefined) reportBadTag(tag, problem, source);
}

function findValueProblem({ name, text }: DocTag, { value }: TagEntry): string | undefined {
  const shownText =
    text.length > 40 || text.includes('\n') ? `${text.slice(0, 40).split('\n', 1)[0] ?? ''}…` : text;
  switch (value) {
    case 'nothing':
      return text === '' ? undefined : `takes no value, not \`${shownText}\``;
    case 'name':
      if (isValidItemName(name, text)) return undefined;
      return `takes a name of letters, digits, ${name === 'tool' ? '"_", "-", "." and "/"' : '"_", "-" and "."'}, not \`${shownText}\`; a description comes before the first tag`;
    case 'word':
      return /^\S+$/.test(text) ? undefined : `takes one word, not \`${shownText}\``;
    default:
      return name === 'title' && !/^.+$/.test(text) ? 'takes a text of one line' : undefined;
  }
}

/** Lists the classes in `@throws {RequestError | errors.Timeout}` by name. Without braces the tag is documentation alone. */
export function listThrownClasses({ tags }: Docs): string[] {
  const texts = tags.filter(({ name }) => name === 'throws' || name === 'exception').map(({ text }) => text);
  const types = texts.flatMap((text) => (/^\{(?!@)([^{}]*)\}/.exec(text)?.[1] ?? '').split('|'));
  return [
    ...new Set(
      types.flatMap(
        (type) => /^[\s(]*(?:import\([^()]*\)\.)?(?:[$\w]+\.)*([$\w]+)[\s)]*$/.exec(type)?.[1] ?? [],
      ),
    ),
  ];
}

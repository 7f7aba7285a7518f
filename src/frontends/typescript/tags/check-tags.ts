import type { SourceProgram } from '../program/source-program.ts';
import { isValueDocTag, isOfOtherTool, suggestTagFor } from './other-tags.ts';
import type { Docs, Mention, DocTag } from '../docs/read-docs.ts';
import { isValidItemName, reportBadTag } from './tag-values.ts';
import { findTagEntry, isItemTag, type TagEntry, TAGS } from './tag-registry.ts';

type Reporter = Pick<SourceProgram, 'diagnostics' | 'originOfTag'>;

export function checkTags({ tags, mentions = [] }: Docs, source: Reporter): void {
  const items = tags.map(({ name }) => name).filter(isItemTag);
  const what = items.map((item) => TAGS[item].makes).join(' and ');
  const says = ({ makes, about = [], isOthersToo }: TagEntry): boolean =>
    makes !== undefined || isOthersToo === true || items.some((item) => about.includes(item));
  checkBlock(tags, what, says, source);
  reportContradictingHints(tags, source);
  reportMentions(mentions, source);
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
      diagnostics.report('misplaced-tag', { tag: tag.name, what, meant: '' }, { at: originOfTag(tag) });
    else checkTagValue(tag, entry, seen, source);
    seen.add(tag.name);
  }
}

function reportUnknownTag(tag: DocTag, what: string, { diagnostics, originOfTag }: Reporter): void {
  const meant = suggestTagFor(tag.name) ?? '';
  const at = originOfTag(tag);
  if (!isOfOtherTool(tag.name)) diagnostics.report('unknown-tag', { tag: tag.name, meant }, { at });
  else if (meant !== '') diagnostics.report('misplaced-tag', { tag: tag.name, what, meant }, { at });
  else reportMentions(listFunctionMentions(tag), { diagnostics, originOfTag });
}

/** Mentions inside a tag for a value are reported where the value's schema is read. */
function listFunctionMentions({ name, mentions = [] }: DocTag): readonly Mention[] {
  if (!isValueDocTag(name)) return mentions;
  return mentions.filter((mention) => findTagEntry(suggestTagFor(mention.name) ?? '')?.values === undefined);
}

function checkTagValue(tag: DocTag, entry: TagEntry, seen: ReadonlySet<string>, source: Reporter): void {
  const problem =
    seen.has(tag.name) && entry.repeats !== true ? 'occurs a second time' : findValueProblem(tag, entry);
  if (problem === undefined) reportMentions(tag.mentions, source);
  else reportBadTag(tag, `${problem}${describeSuggestedTag(tag)}`, source);
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

function describeSuggestedTag({ mentions = [] }: DocTag): string {
  const [meant] = mentions.flatMap(({ name }) => suggestTagFor(name) ?? []);
  return meant === undefined ? '' : ` (did you mean @${meant}?)`;
}

/** `/** Words. @tol *\/` would only be a description. */
function reportMentions(mentions: readonly Mention[] = [], { diagnostics, originOfTag }: Reporter): void {
  for (const mention of mentions) {
    const meant = suggestTagFor(mention.name);
    if (meant !== undefined)
      diagnostics.report('unknown-tag', { tag: mention.name, meant }, { at: originOfTag(mention) });
  }
}

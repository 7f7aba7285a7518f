/** Reports invisible characters. Prose is cleaned where it is read; names and values stay as they are. */
import { describeHidden, mayHaveHiddenCharacters } from '../../../model/clean-prose.ts';
import type { DocumentOrigin } from '../../../model/origin.ts';
import { escapePointerToken } from '../../../util/json-schema.ts';
import type { Report } from '../report.ts';
import type { LoadedDocument } from './loaded-document.ts';

/** Most reports for one document: if there are more, they have one cause. */
const MOST = 100;

/** Escapes that may encode an invisible character or many marks. A backslash behind another is no escape. */
const escapes =
  /(?<!\\)(?:\\\\)*\\(?:u(?:[\da-fA-F]{4}(?:\\u[\da-fA-F]{4}){14}|00[0189aA]|034|061|11[56]|17[bB]|180|20[0236]|280|316|[dD][89a-fA-F]|[fF][eEfF])|U|x|[0abefvNLP])/;

export function reportHiddenText(document: LoadedDocument, report: Report): void {
  const { text, value, file, writtenAt } = document;
  if (writtenAt === undefined && !mayHaveHiddenCharacters(text) && !escapes.test(text)) return;
  let reported = 0;
  const seen = new Set<unknown>();
  const visit = (member: unknown, pointer: string, on?: 'key'): void => {
    const hidden = typeof member === 'string' ? describeHidden(member) : undefined;
    if (hidden !== undefined && (reported += 1) <= MOST) {
      const origin = writtenAt?.(pointer) ?? ({ kind: 'document', file, pointer } satisfies DocumentOrigin);
      report('hidden-text', { hidden }, { at: { ...origin, ...(on && { on }) } });
    }
    if (typeof member !== 'object' || member === null || seen.has(member)) return;
    seen.add(member);
    for (const [key, inner] of Object.entries(member)) {
      const place = `${pointer}/${escapePointerToken(key)}`;
      if (!Array.isArray(member)) visit(key, place, 'key');
      visit(inner, place);
    }
  };
  visit(value, '');
}

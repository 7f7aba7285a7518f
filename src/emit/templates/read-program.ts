/** The text of a template as Handlebars reads it, and what is wrong with one that cannot be read. */
import type { parse } from 'handlebars';
import { toLineColumn } from '../../diagnostics/locate/text-places.ts';
import { asTemplateError, TemplateError } from './template-error.ts';

export type Program = ReturnType<typeof parse>;

/** What parsing needs of Handlebars, which is loaded with the first template. */
export interface Language {
  parse: typeof parse;
  Parser?: unknown;
}

/** What is wrong with one that cannot be read. */
export function programOf(source: string, { parse, Parser }: Language): Program | TemplateError {
  try {
    return parse(source);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const [, kind] = /^(Parse|Lexical) error on line /.exec(error.message) ?? [];
    if (kind === undefined) return asTemplateError(error);
    const { matched, match } = lexerOf(Parser);
    const isEnd = error.message.endsWith("got 'EOF'");
    const before = matched.length - match.length;
    const offset = isEnd
      ? source.trimEnd().length
      : kind === 'Parse'
        ? before
        : startOfTag(source, matched.length);
    return new TemplateError(syntaxWords(kind, isEnd), toLineColumn(source, offset), { cause: error });
  }
}

function startOfTag(source: string, offset: number): number {
  let start = source.lastIndexOf('{{', offset);
  while (source[start - 1] === '{') start -= 1;
  return Math.max(start, 0);
}

/** What Handlebars says are the names of its own tokens. */
function syntaxWords(kind: string, isEnd: boolean): string {
  if (isEnd) return 'it ends where a block or a tag is still open.';
  return kind === 'Lexical'
    ? 'what begins here is never closed.'
    : 'the tag cannot be read from here, or closes what is not open.';
}

/** The text that was read before the fault, and its last word. */
function lexerOf(parser: unknown): { matched: string; match: string } {
  const { lexer } = Object(parser) as { lexer?: unknown };
  const { matched, match } = Object(lexer) as { matched?: unknown; match?: unknown };
  return {
    matched: typeof matched === 'string' ? matched : '',
    match: typeof match === 'string' ? match : '',
  };
}

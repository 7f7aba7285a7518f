/** Parses the text of `@param` and `@property`. */
import { type Docs, type DocTag, parseLines } from './doc-text.ts';
import { definedMembers } from '../../../util/defined-members.ts';

export interface Carried {
  name: string;
  docs: Docs;
  type?: string;
  /** The default in `[name=5]` as a tag; absent unless it is a literal. */
  preset?: DocTag;
}

const TYPE = String.raw`^\s*(?:\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}\s*)?`;
const NAME = String.raw`(?:[$.\p{ID_Continue}]|\[\])+`;
const OPTIONAL = String.raw`\[\s*(${NAME})(?:\s*=((?:[^[\]]|\[[^[\]]*\])*))?[^\]]*\]`;
const HEAD = new RegExp(String.raw`${TYPE}(?:${OPTIONAL}|(${NAME}))(?:\s+-(?=\s|$))?`, 'u');

/** `{type} name - words`, `[name=default] words`. */
export function carried(tag: DocTag): Carried | undefined {
  const [first, ...others] = tag.lines;
  const head = HEAD.exec(first?.text ?? '');
  if (first === undefined || head === null) return undefined;
  const [whole, type, optional, preset = '', name = optional ?? ''] = head;
  const rest = { text: first.text.slice(whole.length), offset: first.offset + whole.length };
  const docs = parseLines([rest, ...others], tag.file);
  const text = preset.trim();
  return {
    name,
    docs,
    ...definedMembers({ type }),
    ...(isLiteral(text) ? { preset: { ...tag, name: 'default', text } } : {}),
  };
}

export function withDefault({ docs, preset }: Carried): Docs {
  const isSaid = docs.tags.some(({ name }) => name === 'default');
  return preset === undefined || isSaid ? docs : { ...docs, tags: [...docs.tags, preset] };
}

function isLiteral(expression: string): boolean {
  if (/^'[^'\\]*'$/.test(expression)) return true;
  try {
    JSON.parse(expression);
    return true;
  } catch {
    return false;
  }
}

export function isParam({ name }: DocTag): boolean {
  return name === 'param' || name === 'arg' || name === 'argument';
}

/** Changes members of JSON with comments. */
import {
  type FormattingOptions,
  type JSONPath,
  type Node,
  type ParseError,
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  parseTree,
} from 'jsonc-parser';
import { describeParseError } from '../diagnostics/locate/json-syntax.ts';

/** The text cannot be edited. */
export class UnfitText extends Error {
  override readonly name = 'UnfitText';
  /** Characters before the place of the problem. */
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(problem);
    this.offset = offset;
  }
}

/** The value at a path. `undefined` if there is none. */
export function getJsonAt(text: string, path: JSONPath): unknown {
  const node = findNodeAtLocation(parseJsonTree(text), path);
  // Plain objects, which can be compared; those of the parser have no prototype.
  return node && structuredClone(getNodeValue(node) as unknown);
}

/** Adds the value, or replaces the one that is there; `undefined` removes it. Missing objects on the way are made. */
export function setJsonAt(text: string, path: readonly string[], value: unknown): string {
  const whole = text.trim() === '' ? '{}\n' : text;
  const root = parseJsonTree(whole);
  for (const depth of path.keys()) {
    const parent = findNodeAtLocation(root, path.slice(0, depth));
    if (parent !== undefined && parent.type !== 'object')
      throw new UnfitText(`"${path[depth - 1] ?? ''}" is not an object`, parent.offset);
  }
  const formattingOptions = detectFormatting(whole);
  return applyEdits(whole, modify(whole, [...path], value, { formattingOptions }));
}

/** Replaces the items of a list, which is made if it is missing. */
export function setJsonList(text: string, name: string, items: readonly unknown[]): string {
  const node = findNodeAtLocation(parseJsonTree(text), [name]);
  if (node !== undefined && node.type !== 'array')
    throw new UnfitText(`"${name}" is not a list`, node.offset);
  return setJsonAt(text, [name], items);
}

function detectFormatting(text: string): FormattingOptions {
  const indent = /^[\t ]+(?=\S)/m.exec(text)?.[0] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: /\r?\n/.exec(text)?.[0] ?? '\n',
  };
}

function parseJsonTree(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined)
    throw new UnfitText(`it is no JSON (${describeParseError(error).problem})`, error.offset);
  if (root?.type !== 'object') throw new UnfitText('it is not an object', root?.offset ?? 0);
  return root;
}

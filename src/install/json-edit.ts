/** Adds and removes members of JSON with comments; all other bytes stay as they are. */
import { createScanner, getNodeValue, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';

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
export function getJsonAt(text: string, path: readonly (string | number)[]): unknown {
  const node = findAt(parseJsonTree(text), path);
  return node && (getNodeValue(node) as unknown);
}

/** Adds the value, or replaces the one that is there. Missing objects on the way are made. */
export function setJsonAt(text: string, path: readonly string[], value: unknown): string {
  const whole = text.trim() === '' ? `${text.trimEnd()}{}\n` : text;
  const [name = '', ...rest] = path;
  return setInObject(whole, parseJsonTree(whole), name, rest, value);
}

/** Appends the value to a list, which is made if it is missing. */
export function appendToJsonList(text: string, list: string, value: unknown): string {
  const node = findMember(parseJsonTree(text), list);
  if (node === undefined) return setJsonAt(text, [list], [value]);
  if (node.type !== 'array') throw new UnfitText(`"${list}" is not a list`, node.offset);
  return addChild(text, node, (layout) => printIndented(value, layout));
}

/** Removes the value and its name. */
export function removeJsonAt(text: string, path: readonly (string | number)[]): string {
  const value = findAt(parseJsonTree(text), path);
  const child = value?.parent?.type === 'property' ? value.parent : value;
  return child?.parent === undefined ? text : removeChild(text, child.parent, child);
}

function parseJsonTree(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const words = printParseErrorCode(error.error).replace(/\B[A-Z]/g, (letter) => ` ${letter}`);
    throw new UnfitText(`it is no JSON (${words.toLowerCase()})`, error.offset);
  }
  if (root?.type !== 'object') throw new UnfitText('it is not an object', root?.offset ?? 0);
  return root;
}

function findAt(root: Node, path: readonly (string | number)[]): Node | undefined {
  let node: Node | undefined = root;
  for (const step of path) {
    if (node === undefined) return undefined;
    node = typeof step === 'number' ? node.children?.[step] : findMember(node, step);
  }
  return node;
}

/** Clients use the last of several members of one name. */
function findMember(object: Node, name: string): Node | undefined {
  if (object.type !== 'object') return undefined;
  return object.children?.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1];
}

function setInObject(
  text: string,
  object: Node,
  name: string,
  rest: readonly string[],
  value: unknown,
): string {
  const found = findMember(object, name);
  const [next, ...others] = rest;
  if (found === undefined) {
    const nested = [...rest].reverse().reduce((inner, key) => ({ [key]: inner }), value);
    return addChild(
      text,
      object,
      (layout) => `${JSON.stringify(name)}:${layout.space}${printIndented(nested, layout)}`,
    );
  }
  if (next === undefined) {
    const printed = printIndented(value, detectLayout(text, object));
    return text.slice(0, found.offset) + printed + text.slice(found.offset + found.length);
  }
  if (found.type !== 'object') throw new UnfitText(`"${name}" is not an object`, found.offset);
  return setInObject(text, found, next, others, value);
}

interface Layout {
  eol: string;
  unit: string;
  /** Blanks before a child of the container; `undefined` if children stand on one line. */
  indent: string | undefined;
  /** Between `,` or `:` and what follows on its line. */
  space: string;
}

function detectLayout(text: string, container: Node): Layout {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const last = container.children?.at(-1);
  const unit = /^[\t ]+(?=\S)/m.exec(text)?.[0] ?? '  ';
  const outer = indentationAt(text, container.offset);
  const isOneLine = !/[\r\n]/.test(text.trimEnd()) && !/^\s*\{\s*\}\s*$/.test(text);
  const space = isOneLine && !/[:,] /.test(text) ? '' : ' ';
  if (isOneLine) return { eol, unit, space, indent: undefined };
  if (last === undefined) return { eol, unit, space, indent: outer + unit };
  const indent = isFirstInLine(text, last.offset) ? indentationAt(text, last.offset) : undefined;
  const own = indent?.startsWith(outer) === true ? indent.slice(outer.length) : '';
  return { eol, space, indent, unit: own === '' ? unit : own };
}

function startOfLine(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function indentationAt(text: string, offset: number): string {
  return /^[\t ]*/.exec(text.slice(startOfLine(text, offset)))?.[0] ?? '';
}

function isFirstInLine(text: string, offset: number): boolean {
  return text.slice(startOfLine(text, offset), offset).trim() === '';
}

function printIndented(value: unknown, { eol, unit, indent, space }: Layout): string {
  if (indent === undefined) {
    const lines = JSON.stringify(value, null, 1).split('\n');
    return lines
      .map((line) => line.trimStart().replace(/^("(?:[^"\\]|\\.)*":) /, `$1${space}`))
      .reduce(createLineJoiner(space));
  }
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);
}

function createLineJoiner(space: string): (text: string, line: string) => string {
  return (text, line) => text + (text.endsWith(',') ? space : '') + line;
}

interface Tail {
  /** Offset of the first comma. */
  comma: number | undefined;
  /** The end of the last comma or comment. */
  end: number;
  hasComment: boolean;
}

/** Commas and comments between two offsets. */
function scanCommasAndComments(text: string, from: number, to: number): Tail {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  const tail: Tail = { comma: undefined, end: from, hasComment: false };
  for (scanner.scan(); scanner.getTokenOffset() < to; scanner.scan()) {
    const at = scanner.getTokenOffset();
    if (text[at] === ',') tail.comma ??= at;
    else if (text[at] === '/') tail.hasComment = true;
    else continue;
    tail.end = at + scanner.getTokenLength();
  }
  return tail;
}

function endOfNode({ offset, length }: Node): number {
  return offset + length;
}

/** A new last child. If the container ends with a comma, so does the child. */
function addChild(text: string, container: Node, printChild: (layout: Layout) => string): string {
  const close = endOfNode(container) - 1;
  const last = container.children?.at(-1);
  const lastEnd = last === undefined ? container.offset + 1 : endOfNode(last);
  const { comma, end, hasComment } = scanCommasAndComments(text, lastEnd, close);
  const found = detectLayout(text, container);
  const { indent, unit, eol, space } = found;
  const isInline = indent === undefined && !hasComment;
  const outer = indentationAt(text, container.offset);
  const layout = isInline ? found : { ...found, indent: indent ?? outer + unit };
  const before = isInline ? (last === undefined ? '' : space) : eol + (layout.indent ?? '');
  const after = isInline || last !== undefined || /[\r\n]/.test(text.slice(end, close)) ? '' : eol + outer;
  return [
    text.slice(0, lastEnd),
    last === undefined || comma !== undefined ? '' : ',',
    text.slice(lastEnd, end),
    before,
    printChild(layout),
    comma === undefined ? '' : ',',
    after,
    text.slice(end),
  ].join('');
}

/** Undoes `addChild`, and closes an object that only blanks are left in. */
function removeChild(text: string, container: Node, child: Node): string {
  const { children = [] } = container;
  const at = children.indexOf(child);
  const [previous, next] = [children[at - 1], children[at + 1]];
  const close = endOfNode(container) - 1;
  const from = previous === undefined ? container.offset + 1 : endOfNode(previous);
  const before = scanCommasAndComments(text, from, child.offset);
  const own = scanCommasAndComments(text, endOfNode(child), next?.offset ?? close).comma;
  const end = own === undefined ? endOfNode(child) : own + 1;
  if (previous === undefined && next === undefined && text.slice(from, before.end).trim() === '') {
    if (text.slice(end, close).trim() === '') return text.slice(0, from) + text.slice(close);
  }
  const isLeftOver = next === undefined && own === undefined && before.comma !== undefined;
  const head = isLeftOver
    ? text.slice(0, before.comma) + text.slice((before.comma ?? 0) + 1, before.end)
    : text.slice(0, before.end);
  return head + text.slice(end);
}

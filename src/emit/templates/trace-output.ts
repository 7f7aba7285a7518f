/** Finds the place in a template that a place in its output comes from, by rendering it again with marks. */
import { type LineColumn, toLineColumn } from '../../util/text-lines.ts';
import type { Program } from './parse-template.ts';

type Statement = Program['body'][number];

/** A part of a template: literal text, or a tag. */
interface Piece {
  source: string;
  partial: string | undefined;
  offset: number;
  /** The length of a text; 0 for a tag. */
  length: number;
}

export interface TracedPlace {
  partial: string | undefined;
  at: LineColumn;
}

/** The marks use characters of the private use area, which templates do not contain. */
const MARK = /\uE0F0(\d+)\uE0F1/g;

export class Trace {
  readonly #pieces: Piece[] = [];

  /** Marks a template that was just read. `source` is its text. */
  markTemplate(program: Program, source: string, partial?: string): void {
    program.body = program.body.flatMap((node): Statement[] => {
      for (const inner of listNestedPrograms(node)) this.markTemplate(inner, source, partial);
      const piece = locatePiece(node, source);
      return piece === undefined ? [node] : [this.#makeMark(node, { ...piece, source, partial }), node];
    });
  }

  #makeMark({ loc }: Statement, piece: Piece): Statement {
    const value = `\uE0F0${this.#pieces.push(piece) - 1}\uE0F1`;
    return Object.assign({ type: 'ContentStatement', loc }, { value, original: value });
  }

  /** `marked` is the output of marked templates, `output` that of unmarked ones. Returns `undefined` if a helper removed marks. */
  findTemplatePlace(marked: string, output: string, offset: number): TracedPlace | undefined {
    if (marked.replace(MARK, '') !== output) return undefined;
    let piece: Piece | undefined;
    let start = 0;
    let marks = 0;
    for (const { 0: mark, 1: index, index: at } of marked.matchAll(MARK)) {
      if (at - marks > offset) break;
      piece = this.#pieces[Number(index)];
      start = at - marks;
      marks += mark.length;
    }
    if (piece === undefined) return undefined;
    const { source, partial } = piece;
    return { partial, at: toLineColumn(source, piece.offset + Math.min(offset - start, piece.length)) };
  }
}

function listNestedPrograms(node: Statement): Program[] {
  const { program, inverse } = node as { program?: Program; inverse?: Program };
  return [program, inverse].filter((each) => each !== undefined);
}

function locatePiece(node: Statement, source: string): Pick<Piece, 'offset' | 'length'> | undefined {
  const { line, column } = node.loc.start;
  const offset = offsetInSource(source, line, column);
  if (node.type === 'MustacheStatement') return { offset, length: 0 };
  if (node.type !== 'ContentStatement') return undefined;
  const { value, original } = node as Statement & { value: string; original: string };
  // Lines with nothing but a tag are taken away.
  return value === '' ? undefined : { offset: offset + original.indexOf(value), length: value.length };
}

function offsetInSource(source: string, line: number, column: number): number {
  const before = source.split('\n').slice(0, line - 1);
  return before.reduce((sum, each) => sum + each.length + 1, 0) + column;
}

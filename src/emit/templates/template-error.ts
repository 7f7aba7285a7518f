/** What is wrong with a template of the user, and where. */
import type { LineColumn } from '../../diagnostics/locate/text-places.ts';
import { suggest } from '../../../templates/runtime/contract/feature.ts';

/** The message is a sentence without the name of the file. */
export class TemplateError extends Error {
  /** In the file of the template, or of the partial. */
  readonly at: LineColumn | undefined;
  /** The partial that it comes from; the first that is set holds. */
  partial: string | undefined;

  constructor(reason: string, at: LineColumn | undefined, options?: ErrorOptions) {
    super(reason, options);
    this.at = at;
  }
}

/** Of Handlebars: lines from 1, columns from 0. */
export interface Location {
  start: { line: number; column: number };
}

export function placeOf({ start }: Location): LineColumn {
  return { line: start.line, column: start.column + 1 };
}

/** Where a helper is called; `options` is what Handlebars passes to it last. */
export function calledAt(options: unknown): LineColumn | undefined {
  const { loc } = options as { loc?: Location };
  return loc && placeOf(loc);
}

/** `there is no helper markdwon; did you mean markdown?` */
export function withMeant(words: string, name: string, known: Iterable<string>): string {
  const near = suggest(name, known);
  return near === undefined ? `${words}.` : `${words}; did you mean ${near}?`;
}

/** `error`, thrown by Handlebars or what it calls, as one of a template. */
export function asTemplateError(error: Error): TemplateError {
  if (error instanceof TemplateError) return error;
  // What Handlebars has a place for, it says at the end.
  const [, reason = error.message, line, column] = /^(.*) - (\d+):(\d+)$/s.exec(error.message) ?? [];
  const at = line === undefined ? undefined : { line: Number(line), column: Number(column) + 1 };
  return new TemplateError(`${reason.replace(/\.$/, '')}.`, at, { cause: error });
}

/** The stack is full: something calls itself without end. */
export function isOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

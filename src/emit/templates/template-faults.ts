/** Collects the faults of a template of the user, while it is read and rendered. */
import { suggestNearest } from '../../../templates/runtime/contract/feature.ts';
import { type Diagnostic, DiagnosticError, createDiagnostic } from '../../diagnostics/collector.ts';
import type { LineColumn } from '../../util/text-lines.ts';

/** Replaces a missing value, so that rendering goes on and finds the other faults. */
export class MissingValue {
  toString(): string {
    return '';
  }
}

export class TemplateFaults {
  readonly #found: TemplateError[] = [];

  addFault(error: TemplateError): MissingValue {
    this.#found.push(error);
    return new MissingValue();
  }

  /** Assigns the faults that `run` adds or throws to the partial `name`, unless they have another. */
  runInPartial<T>(name: string, run: () => T): T {
    const before = this.#found.length;
    try {
      return run();
    } catch (error) {
      if (!(error instanceof Error) || isOverflow(error)) throw error;
      const fault = toTemplateError(error);
      fault.partial ??= name;
      throw fault;
    } finally {
      for (const fault of this.#found.slice(before)) fault.partial ??= name;
    }
  }

  /** Returns the result of `run`. Throws `DiagnosticError` with all faults found by then; messages name the template by `file`. */
  runAndThrowFaults<T>(file: TemplateFile, run: () => T): T {
    let result: { value: T } | undefined;
    try {
      result = { value: run() };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#found.push(toTemplateError(error));
    }
    const found = this.#found.splice(0);
    if (result === undefined || found.length > 0) throw new DiagnosticError(...makeDiagnostics(found, file));
    return result.value;
  }
}

interface TemplateFile {
  label: string;
  file: string;
}

/** A fault that occurs in each round of a loop is reported once. */
function makeDiagnostics(found: readonly TemplateError[], file: TemplateFile): Diagnostic[] {
  const all = found.map((error) => makeDiagnostic(error, file));
  return [...new Map(all.map((each) => [JSON.stringify([each.origin, each.message]), each])).values()];
}

function makeDiagnostic({ message, at, partial }: TemplateError, { label, file }: TemplateFile): Diagnostic {
  const path = `${label}/${partial === undefined ? file : toPartialPath(partial)}`;
  const user = partial === undefined ? '' : ` (It is a part of ${file}.)`;
  return createDiagnostic(
    'invalid-template',
    { file: path, reason: `${message}${user}` },
    { at: at && { kind: 'code', file: path, ...at } },
  );
}

export const PARTIALS_FOLDER = 'partials/';

export function toPartialPath(name: string): string {
  return `${PARTIALS_FOLDER}${name}.hbs`;
}

/** The message is a sentence without the name of the file. */
export class TemplateError extends Error {
  /** The place in the file of the template, or of the partial. */
  readonly at: LineColumn | undefined;
  /** The partial that it comes from; the first that is set holds. */
  partial: string | undefined;

  constructor(reason: string, at: LineColumn | undefined, options?: ErrorOptions) {
    super(reason, options);
    this.at = at;
  }
}

interface Location {
  start: { line: number; column: number };
}

export function placeOf({ start }: Location): LineColumn {
  return { line: start.line, column: start.column + 1 };
}

/** Where a helper is called; `options` is what Handlebars passes to it last. */
export function placeOfCall(options: unknown): LineColumn | undefined {
  const { loc } = options as { loc?: Location };
  return loc && placeOf(loc);
}

/** `there is no helper markdwon; did you mean markdown?` */
export function addSuggestion(words: string, name: string, known: Iterable<string>): string {
  const near = suggestNearest(name, known);
  return near === undefined ? `${words}.` : `${words}; did you mean ${near}?`;
}

/** Turns an error of Handlebars, or of what it calls, into one of a template. */
export function toTemplateError(error: Error): TemplateError {
  if (error instanceof TemplateError) return error;
  // Handlebars appends line and column to its messages, where it knows them.
  const [, reason = error.message, line, column] = /^(.*) - (\d+):(\d+)$/s.exec(error.message) ?? [];
  const at = line === undefined ? undefined : { line: Number(line), column: Number(column) + 1 };
  return new TemplateError(`${reason.replace(/\.$/, '')}.`, at, { cause: error });
}

/** Whether the stack is full, since something calls itself without end. */
export function isOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

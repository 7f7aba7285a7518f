/** All that is wrong with a template of the user, gathered while it is read and rendered. */
import { type Diagnostic, DiagnosticError, createDiagnostic } from '../../diagnostics/collector.ts';
import { partialFile } from './partials.ts';
import { asTemplateError, isOverflow, type TemplateError } from './template-error.ts';

/** Stands where a value is missing, so that the rest is rendered, and what is wrong there is found too. */
export class MissingValue {
  toString(): string {
    return '';
  }
}

export class TemplateFaults {
  readonly #found: TemplateError[] = [];

  /** What stands in for the value that there is none of. */
  add(error: TemplateError): MissingValue {
    this.#found.push(error);
    return new MissingValue();
  }

  /** What `run` finds, or throws, is of the partial `name`, unless it is known to be of another. */
  within<T>(name: string, run: () => T): T {
    const before = this.#found.length;
    try {
      return run();
    } catch (error) {
      if (!(error instanceof Error) || isOverflow(error)) throw error;
      const fault = asTemplateError(error);
      fault.partial ??= name;
      throw fault;
    } finally {
      for (const fault of this.#found.slice(before)) fault.partial ??= name;
    }
  }

  /** What `run` gives. Throws `DiagnosticError` with all that was found by then; `file` is how messages call a template. */
  settle<T>(file: TemplateFile, run: () => T): T {
    let result: { value: T } | undefined;
    try {
      result = { value: run() };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#found.push(asTemplateError(error));
    }
    const found = this.#found.splice(0);
    if (result === undefined || found.length > 0) throw new DiagnosticError(...diagnosticsOf(found, file));
    return result.value;
  }
}

export interface TemplateFile {
  /** How messages call its folder. */
  label: string;
  /** Within that. */
  file: string;
}

/** One that is met in each round of a loop is told once. */
function diagnosticsOf(found: readonly TemplateError[], file: TemplateFile): Diagnostic[] {
  const all = found.map((error) => diagnosticOf(error, file));
  return [...new Map(all.map((each) => [JSON.stringify([each.origin, each.message]), each])).values()];
}

function diagnosticOf({ message, at, partial }: TemplateError, { label, file }: TemplateFile): Diagnostic {
  const path = `${label}/${partial === undefined ? file : partialFile(partial)}`;
  const user = partial === undefined ? '' : ` (It is a part of ${file}.)`;
  return createDiagnostic(
    'invalid-template',
    { file: path, reason: `${message}${user}` },
    { at: at && { kind: 'code', file: path, ...at } },
  );
}

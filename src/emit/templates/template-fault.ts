/** What is wrong with a template of the user, and where. */
import { createDiagnostic, DiagnosticError } from '../../diagnostics/collector.ts';
import { MissingField } from './helpers.ts';
import { nearMiss } from '../../../templates/runtime/schema/near-miss.ts';

interface Surroundings {
  /** Of the partial, or of the file. */
  source: string;
  /** As messages call it. */
  folder: string;
  file: string;
  /** The partial that the error comes from. */
  partial: string | undefined;
  view: object;
  /** Names of all there are. */
  helpers: readonly string[];
}

interface Fault {
  reason: string;
  /** 1-based. */
  at?: { line: number; column: number };
}

/** Of Handlebars: lines from 1, columns from 0. */
type Location = Record<'start' | 'end', { line: number; column: number }>;

const places = new WeakMap<Error, Location>();

/** `error`, which remembers where in the template the helper stands; `options` is what Handlebars passes to it last. */
export function thrownAt(options: unknown, error: Error): Error {
  const { loc } = options as { loc?: Location };
  if (loc !== undefined) places.set(error, loc);
  return error;
}

export function templateFault(error: Error, surroundings: Surroundings): DiagnosticError {
  const { folder, file, partial } = surroundings;
  const { reason, at } = faultOf(error, surroundings);
  const path = `${folder}/${partial ?? file}`;
  const user = partial === undefined ? '' : ` (It is a part of ${file}.)`;
  return new DiagnosticError(
    createDiagnostic(
      'invalid-template',
      { file: path, reason: `${reason}${user}` },
      { at: at && { kind: 'code', file: path, ...at } },
    ),
  );
}

function faultOf(error: Error, surroundings: Surroundings): Fault {
  const { view, helpers } = surroundings;
  const at = places.get(error);
  if (at !== undefined) return helperFault(error, at, surroundings);
  if (error instanceof RangeError) return { reason: 'its partials include each other without end.' };
  const [, message = error.message, line, column] = /^(.*) - (\d+):(\d+)$/s.exec(error.message) ?? [];
  const place = line === undefined ? {} : { at: { line: Number(line), column: Number(column) + 1 } };
  const [, field] = /^"(.*)" not defined in /s.exec(message) ?? [];
  if (field !== undefined)
    return { reason: `the view has no field ${field}${meant(field, fieldsOf(view))}`, ...place };
  const [, helper] = /unknown helper (\S+)$/.exec(message) ?? [];
  if (helper !== undefined)
    return { reason: `there is no helper ${helper}${meant(helper, helpers)}`, ...place };
  return syntaxFault(error.message) ?? { reason: message, ...place };
}

function helperFault(
  { message, cause }: Error,
  { start, end }: Location,
  { source, view }: Surroundings,
): Fault {
  const at = { line: start.line, column: start.column + 1 };
  if (!(cause instanceof MissingField)) return { reason: message, at };
  const line = source.split('\n')[start.line - 1] ?? '';
  const tag = line.slice(start.column, end.line === start.line ? end.column : undefined);
  const [opening = ''] = tag.split('}}');
  const [, ...paths] = opening.match(/(?<![@\w])[A-Za-z_]\w*/g) ?? [];
  const known = fieldsOf(view);
  const field = paths.find((path) => !known.includes(path));
  return {
    reason: field === undefined ? message : `the view has no field ${field}${meant(field, known)}`,
    at,
  };
}

/** What Handlebars says of it are the names of its own tokens, and a column of what it draws. */
function syntaxFault(message: string): Fault | undefined {
  const [, line] = /^Parse error on line (\d+):/.exec(message) ?? [];
  if (line === undefined) return undefined;
  const reason = message.endsWith("got 'EOF'")
    ? 'it ends where a block or a tag is still open.'
    : 'a tag in this line cannot be read, or closes what is not open.';
  return { reason, at: { line: Number(line), column: 1 } };
}

function meant(name: string, known: readonly string[]): string {
  const near = nearMiss(name, known);
  return near === undefined ? '.' : `; did you mean ${near}?`;
}

/** All that a path may name: those of the view, and of what stands in it. */
function fieldsOf(view: object): string[] {
  const inside = Object.values(view).flatMap((value: unknown) =>
    Array.isArray(value) ? (value as unknown[]) : [value],
  );
  const objects = [view, ...inside].filter((each) => typeof each === 'object' && each !== null);
  return [...new Set(objects.flatMap((each) => Object.keys(each as object)))];
}

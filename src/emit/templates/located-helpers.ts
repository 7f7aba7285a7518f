/** Helpers as Handlebars calls them: what one complains of names the place in the template. */
import type { LineColumn } from '../../util/text-lines.ts';
import { type Helper, MissingField, type UserHelpers, assertEnoughArguments, helpers } from './helpers.ts';
import { DATA, FIELD, PARTIAL } from './parse-template.ts';
import {
  MissingValue,
  TemplateError,
  type TemplateFaults,
  placeOfCall,
  isOverflow,
  addSuggestion,
} from './template-faults.ts';

type Registered = Record<string, (...parameters: unknown[]) => unknown>;

/** The built-in helpers. With `faults`, an error is collected there and not thrown. */
export function makeLocatedOwnHelpers(faults?: TemplateFaults): Registered {
  return mapFunctions(helpers, (name, helper) => {
    const callChecked = (...parameters: unknown[]): string => {
      assertEnoughArguments(name, parameters);
      return helper(...parameters);
    };
    return addPlaceToErrors(name, callChecked, faults);
  });
}

export function makeLocatedUserHelpers(
  { functions, placeOf }: UserHelpers,
  faults: TemplateFaults,
): Registered {
  return mapFunctions(functions, (name, helper) => {
    const callChecked = (...parameters: unknown[]): unknown => {
      if (parameters.slice(0, -1).includes(undefined)) throw new MissingField();
      const value = helper(...parameters);
      if (value === undefined) throw new TypeError('it returned nothing');
      if (value instanceof Promise) {
        value.catch(() => undefined);
        throw new TypeError('it is asynchronous, and a template waits for nothing');
      }
      return value;
    };
    return addPlaceToErrors(name, callChecked, faults, placeOf);
  });
}

/** The helpers that read fields in a user's templates, and `lookup`, which is as strict. */
export function createLookupHelpers(partials: readonly string[], faults: TemplateFaults): Registered {
  const lookupMember = (object: unknown, name: string, { root, at }: Looking): unknown => {
    if (object instanceof MissingValue) return object;
    const isObject = typeof object === 'object' && object !== null;
    // Inherited members, such as `constructor`, are no fields of a view.
    if (isObject && Object.hasOwn(object, name)) return (object as Record<string, unknown>)[name];
    const known = [...(isObject ? Object.keys(object) : []), ...listFields(root)];
    return faults.addFault(
      new TemplateError(addSuggestion(`the view has no field ${name}`, name, known), at),
    );
  };
  return {
    [FIELD]: (line, column, base, ...parameters) => {
      const at = { line: Number(line), column: Number(column) };
      const root = rootOfView(parameters.at(-1));
      const names = parameters.slice(0, -1).map(String);
      return names.reduce((object, name) => lookupMember(object, name, { root, at }), base);
    },
    [DATA]: (line, column, depth, ...parameters) => {
      const at = { line: Number(line), column: Number(column) };
      const options = parameters.at(-1);
      let frame: unknown = (options as { data?: unknown }).data;
      for (let up = Number(depth); up > 0; up--) frame = (Object(frame) as { _parent?: unknown })._parent;
      const names = parameters.slice(0, -1).map(String);
      return names.reduce(
        (object, name) => lookupMember(object, name, { root: rootOfView(options), at }),
        frame,
      );
    },
    lookup: (object, name, options) =>
      lookupMember(object, String(name), { root: rootOfView(options), at: placeOfCall(options) }),
    [PARTIAL]: (name, options) => {
      if (typeof name === 'string' && partials.includes(name)) return name;
      const words = `there is no partial ${String(name)}`;
      throw new TemplateError(addSuggestion(words, String(name), partials), placeOfCall(options));
    },
  };
}

interface Looking {
  root: unknown;
  at: LineColumn | undefined;
}

function rootOfView(options: unknown): unknown {
  return (options as { data?: { root?: unknown } }).data?.root;
}

function listFields(view: unknown): string[] {
  const inside = Object.values(Object(view) as object).flatMap((value: unknown) =>
    Array.isArray(value) ? (value as unknown[]) : [value],
  );
  const objects = [view, ...inside].filter((each) => typeof each === 'object' && each !== null);
  return [...new Set(objects.flatMap((each) => Object.keys(each as object)))];
}

/** Writes a value out; Handlebars would write `[object Object]` for some. */
export function createTextHelper(faults: TemplateFaults): (...parameters: unknown[]) => unknown {
  return (value, name, options) => {
    if (value instanceof MissingValue || isWritable(value)) return value;
    const words = Array.isArray(value)
      ? 'is a list of objects, and no text: {{#each}} goes through it.'
      : 'is an object, and no text: name a member of it, or write it by {{json}}.';
    return faults.addFault(new TemplateError(`${String(name)} ${words}`, placeOfCall(options)));
  };
}

function isWritable(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isWritable);
  if (typeof value !== 'object' || value === null || 'toHTML' in value) return true;
  // Accepts objects with a text of their own, such as dates and URLs.
  return typeof value.toString === 'function' && value.toString !== Object.prototype.toString;
}

function addPlaceToErrors(
  name: string,
  helper: Helper | ((...parameters: unknown[]) => unknown),
  faults: TemplateFaults | undefined,
  placeOf: UserHelpers['placeOf'] = () => undefined,
): (...parameters: unknown[]) => unknown {
  return (...parameters) => {
    const missing = listArguments(parameters).find((each) => each instanceof MissingValue);
    if (missing !== undefined) return missing;
    try {
      return helper(...parameters);
    } catch (error) {
      // A block inside this helper has reported its own error, and endless partials may overflow the stack anywhere.
      if (error instanceof TemplateError || isOverflow(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const place = placeOf(error);
      const words = `{{${name}}}: ${reason}${place === undefined ? '' : ` (${place})`}`;
      const fault = new TemplateError(words, placeOfCall(parameters.at(-1)), { cause: error });
      if (faults === undefined) throw fault;
      return faults.addFault(fault);
    }
  };
}

function listArguments(parameters: readonly unknown[]): unknown[] {
  const { hash } = Object(parameters.at(-1)) as { hash?: unknown };
  return [...parameters.slice(0, -1), ...Object.values(Object(hash) as object)];
}

function mapFunctions<T>(
  functions: Readonly<Record<string, T>>,
  change: (name: string, each: T) => Registered[string],
): Registered {
  return Object.fromEntries(Object.entries(functions).map(([name, each]) => [name, change(name, each)]));
}

/** Helpers as Handlebars calls them: what one complains of names the place in the template. */
import type { LineColumn } from '../../diagnostics/locate/line-column.ts';
import { type Helper, helpers, MissingField } from './helpers.ts';
import { DATA, FIELD, PARTIAL } from './parse-template.ts';
import { calledAt, isOverflow, TemplateError, withMeant } from './template-error.ts';
import type { UserHelpers } from './user-helpers.ts';

type Registered = Record<string, (...parameters: unknown[]) => unknown>;

/** Those that every template may use. */
export function ownHelpers(): Registered {
  return mapped(helpers, (name, helper) => located(name, helper));
}

export function usersHelpers({ functions, placeOf }: UserHelpers): Registered {
  return mapped(functions, (name, helper) => {
    const call = (...parameters: unknown[]): unknown => {
      if (parameters.slice(0, -1).includes(undefined)) throw new MissingField();
      const value = helper(...parameters);
      if (value === undefined) throw new TypeError('it returned nothing');
      return value;
    };
    return located(name, call, placeOf);
  });
}

/** What stands in the trees of templates of the user, and `lookup`, which is as strict as they are. */
export function lookupHelpers(partials: readonly string[]): Registered {
  return {
    [FIELD]: (line, column, base, ...parameters) => {
      const at = { line: Number(line), column: Number(column) };
      const root = rootOf(parameters.at(-1));
      const names = parameters.slice(0, -1).map(String);
      return names.reduce((object, name) => memberOf(object, name, { root, at }), base);
    },
    [DATA]: (line, column, depth, ...parameters) => {
      const at = { line: Number(line), column: Number(column) };
      const options = parameters.at(-1);
      let frame: unknown = (options as { data?: unknown }).data;
      for (let up = Number(depth); up > 0; up--) frame = (Object(frame) as { _parent?: unknown })._parent;
      const names = parameters.slice(0, -1).map(String);
      return names.reduce((object, name) => memberOf(object, name, { root: rootOf(options), at }), frame);
    },
    lookup: (object, name, options) =>
      memberOf(object, String(name), { root: rootOf(options), at: calledAt(options) }),
    [PARTIAL]: (name, options) => {
      if (typeof name === 'string' && partials.includes(name)) return name;
      const words = `there is no partial ${String(name)}`;
      throw new TemplateError(withMeant(words, String(name), partials), calledAt(options));
    },
  };
}

/** What it has by itself. Each object has a `constructor`, which no view means. */
function memberOf(
  object: unknown,
  name: string,
  { root, at }: { root: unknown; at: LineColumn | undefined },
): unknown {
  const isObject = typeof object === 'object' && object !== null;
  if (isObject && Object.hasOwn(object, name)) return (object as Record<string, unknown>)[name];
  const known = [...(isObject ? Object.keys(object) : []), ...fieldsOf(root)];
  throw new TemplateError(withMeant(`the view has no field ${name}`, name, known), at);
}

/** The view; `options` is what Handlebars passes to a helper last. */
function rootOf(options: unknown): unknown {
  return (options as { data?: { root?: unknown } }).data?.root;
}

/** All that a path may name: those of the view, and of what stands in it. */
function fieldsOf(view: unknown): string[] {
  const inside = Object.values(Object(view) as object).flatMap((value: unknown) =>
    Array.isArray(value) ? (value as unknown[]) : [value],
  );
  const objects = [view, ...inside].filter((each) => typeof each === 'object' && each !== null);
  return [...new Set(objects.flatMap((each) => Object.keys(each as object)))];
}

function located(
  name: string,
  helper: Helper | ((...parameters: unknown[]) => unknown),
  placeOf: UserHelpers['placeOf'] = () => undefined,
): (...parameters: unknown[]) => unknown {
  return (...parameters) => {
    try {
      return helper(...parameters);
    } catch (error) {
      // Of a block that the helper encloses; or of partials without end, which may run out of stack anywhere.
      if (error instanceof TemplateError || isOverflow(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const place = placeOf(error);
      const words = `{{${name}}}: ${reason}${place === undefined ? '' : ` (${place})`}`;
      throw new TemplateError(words, calledAt(parameters.at(-1)), { cause: error });
    }
  };
}

function mapped<T>(
  functions: Readonly<Record<string, T>>,
  change: (name: string, each: T) => Registered[string],
): Registered {
  return Object.fromEntries(Object.entries(functions).map(([name, each]) => [name, change(name, each)]));
}

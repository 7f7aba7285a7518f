/** Helpers that a user brings for his templates. */
import { helpers as ours } from './helpers.ts';
import type { TemplateHelpers } from '../../model/user-code.ts';

export interface UserHelpers {
  functions: TemplateHelpers;
  /** `helpers.ts:3:5`, where an error was thrown, as far as it is known. */
  placeOf: (thrown: unknown) => string | undefined;
}

export const noHelpers: UserHelpers = { functions: {}, placeOf: () => undefined };

/** What Handlebars brings itself. */
export const HANDLEBARS = [
  'if',
  'unless',
  'each',
  'with',
  'lookup',
  'log',
  'helperMissing',
  'blockHelperMissing',
];

/** The first name that a built-in helper has too. */
export function takenName(names: readonly string[]): string | undefined {
  return names.find((name) => Object.hasOwn(ours, name) || HANDLEBARS.includes(name));
}

/** A helper by which `{{name}}` would mean another thing than the field of this name, at the top of a view or in its rows. */
export function hiddenField(view: object, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const rows = Object.values(view).flatMap((value: unknown) =>
    Array.isArray(value) ? (value as unknown[]) : [],
  );
  const fields = [view, ...rows].flatMap((each) =>
    typeof each === 'object' && each !== null ? Object.keys(each) : [],
  );
  return names.find((name) => fields.includes(name));
}

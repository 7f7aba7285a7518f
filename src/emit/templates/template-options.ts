import { helpers } from './helpers.ts';

/**
 * How every template is compiled: a missing field or an unknown helper is a fault, and nothing is escaped behind
 * the template's back.
 */
export const templateOptions = optionsWith([]);

/** The same, for templates that may use helpers of these names too. */
export function optionsWith(names: readonly string[]): TemplateOptions {
  return {
    noEscape: true,
    strict: true,
    knownHelpersOnly: true,
    knownHelpers: Object.fromEntries([...Object.keys(helpers), ...names].map((name) => [name, true])),
  };
}

interface TemplateOptions {
  noEscape: boolean;
  strict: boolean;
  knownHelpersOnly: boolean;
  knownHelpers: Record<string, boolean>;
}

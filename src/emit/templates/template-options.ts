import { helpers } from './helpers.ts';

/**
 * Options of every template: a missing field or an unknown helper is a fault, and nothing is escaped. `names` are of helpers
 * beside the built-in ones.
 */
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

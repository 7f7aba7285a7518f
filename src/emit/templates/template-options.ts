import { helpers } from './helpers.ts';

/**
 * How every template is compiled: a missing field or an unknown helper is a fault, and nothing is escaped behind
 * the template's back.
 */
export const templateOptions = {
  noEscape: true,
  strict: true,
  knownHelpersOnly: true,
  knownHelpers: Object.fromEntries(Object.keys(helpers).map((name) => [name, true])),
};

import parse from 'htm';
import { h } from 'preact';

/** Makes elements of a template. Values become text or properties, never markup. */
export const htm = parse.bind(h);

/** The class names that hold, separated by spaces. */
export function classes(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

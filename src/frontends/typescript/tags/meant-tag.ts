import { suggest } from '../../../../templates/runtime/contract/suggest.ts';
import { isOthers } from './other-tags.ts';
import { TAG_NAMES } from './tag-registry.ts';

/** The tag of ours that was probably meant. One of other tools' is meant itself, unless nothing but case differs. */
export function meantTag(name: string, among: readonly string[] = TAG_NAMES): string | undefined {
  if (!isOthers(name)) return suggest(name, among);
  return among.find((each) => each !== name && each.toLowerCase() === name.toLowerCase());
}

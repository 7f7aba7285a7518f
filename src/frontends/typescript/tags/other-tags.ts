/** Tags of JSDoc, TSDoc, TypeDoc and TypeScript. Other tools read them; mcpgen ignores them. */
import { nearest } from '../../../../templates/runtime/validate.ts';
import { TAG_NAMES } from './tag-registry.ts';

/** These tags document a value, so tags for values in their text describe that value. */
const CARRIERS = 'param arg argument property prop'.split(' ');

/** The text of these tags is a person's name or code, so no misspelt tag is searched there. */
const CODE: ReadonlySet<string> = new Set(
  'author example examples import license copyright pattern'.split(' '),
);

export function holdsCode(name: string): boolean {
  return CODE.has(name);
}

const OTHERS = new Set([
  ...CARRIERS,
  ...(
    'abstract access alias alpha async augments author beta borrows callback category class classdesc const constant ' +
    'constructor constructs copyright decorator desc description enum eventProperty examples exception ' +
    'experimental export exports extends external file fileoverview final fires func function generator global group ' +
    'hideconstructor ignore implements import inheritDoc inheritdoc inner interface internal kind label lends ' +
    'license link linkcode linkplain listens member memberof method mixes mixin module name namespace overload ' +
    'override package packageDocumentation private privateRemarks protected public readonly remarks requires ' +
    'return returns satisfies scheme sealed see showCategories since static summary template this throws todo tutorial type typedef typeParam var variation ' +
    'version virtual yield yields x'
  ).split(' '),
]);

/** Prose does not contain these names after `@`, so they count inside a line too, as in TSDoc. */
const INLINE: ReadonlySet<string> = new Set(
  (
    'param arg returns return throws exception since version author see remarks privateRemarks internal ' +
    'alpha beta experimental typeParam type'
  ).split(' '),
);

const carriers: ReadonlySet<string> = new Set(CARRIERS);

export function isValueDocTag(name: string): boolean {
  return carriers.has(name);
}

export function mayStandInLine(name: string): boolean {
  return INLINE.has(name);
}

export function isOfOtherTool(name: string): boolean {
  return OTHERS.has(name);
}

/** Suggests a tag; undefined for one of another tool, unless only the case differs. */
export function suggestTagFor(name: string, among: readonly string[] = TAG_NAMES): string | undefined {
  if (!isOfOtherTool(name)) return nearest(name, among);
  return among.find((tagName) => tagName !== name && tagName.toLowerCase() === name.toLowerCase());
}

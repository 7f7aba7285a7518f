/** Tags of JSDoc, TSDoc, TypeDoc and TypeScript. Other tools read them; mcpgen ignores them. */
import { nearest } from '../../../../templates/runtime/validate.ts';
import { TAG_NAMES } from './tag-registry.ts';

/** These tags document a value, so tags for values in their text describe that value. */
const CARRIERS = 'param arg argument property prop'.split(' ');

/** The text of these tags is a person's name or code, so no misspelt tag is searched there. */
export const TAGS_OF_CODE: ReadonlySet<string> = new Set(
  'author example examples import license copyright pattern'.split(' '),
);

const OTHERS = new Set([
  ...CARRIERS,
  ...(
    'abstract access alias alpha async augments author beta borrows callback category categoryDescription ' +
    'class classdesc const constant constructor constructs copyright decorator defaultvalue desc ' +
    'description disableGroups document emits enum event eventProperty examples exception expand expandType ' +
    'experimental export exports extends external file fileoverview final fires func function generator ' +
    'global group groupDescription hideCategories hideconstructor hideGroups host ignore implements ' +
    'import include includeCode inheritDoc inheritdoc inline inlineType inner interface internal kind ' +
    'label lends license link linkcode linkplain listens member memberof mergeModuleWith method mixes ' +
    'mixin module name namespace note override overload overview package packageDocumentation ' +
    'preventExpand preventInline primaryExport private privateRemarks project protected public readonly ' +
    'reexport remarks requires return returns satisfies scheme sealed see showCategories showGroups since ' +
    'sortStrategy static summary template this throws todo tutorial type typedef typeParam ' +
    'useDeclaredType var variation version virtual warning yield yields x'
  ).split(' '),
]);

/** Prose does not contain these names after `@`, so they count inside a line too, as in TSDoc. */
export const INLINE_TAGS: ReadonlySet<string> = new Set(
  (
    'param arg returns return throws exception since version author see remarks privateRemarks internal ' +
    'alpha beta experimental typeParam type'
  ).split(' '),
);

export const VALUE_DOC_TAGS: ReadonlySet<string> = new Set(CARRIERS);

export function isOfOtherTool(name: string): boolean {
  return OTHERS.has(name);
}

/** Suggests a tag; undefined for one of another tool, unless only the case differs. */
export function suggestTagFor(name: string, among: readonly string[] = TAG_NAMES): string | undefined {
  if (!isOfOtherTool(name)) return nearest(name, among);
  return among.find((tagName) => tagName !== name && tagName.toLowerCase() === name.toLowerCase());
}

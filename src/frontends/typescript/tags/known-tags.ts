/** The tags that blocks of functions may have. */

/** Each makes something to serve, or does a part of its work. */
export const ITEM_TAGS = ['tool', 'resource', 'prompt', 'complete', 'list', 'prepare', 'started'] as const;

export type ItemTag = (typeof ITEM_TAGS)[number];

/** Says something about one or more of them. */
export const DETAIL_TAGS: Readonly<Record<string, readonly ItemTag[]>> = {
  title: ['tool', 'resource', 'prompt'],
  readOnly: ['tool'],
  destructive: ['tool'],
  idempotent: ['tool'],
  openWorld: ['tool'],
  scope: ['tool', 'resource', 'prompt'],
  icon: ['tool', 'resource', 'prompt'],
  mimeType: ['tool', 'resource'],
  audience: ['resource'],
  priority: ['resource'],
  task: ['tool'],
  schema: ['tool'],
  hidden: [...ITEM_TAGS],
};

/** Belong to properties and parameters; in a function's own block they are no tags of ours. */
const MEMBER_TAGS = [
  'header',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
];

/** JSDoc's, TSDoc's and TypeScript's own; they are read by others. */
const OTHERS = new Set(
  (
    'abstract access alias alpha arg argument async augments author beta borrows callback category class classdesc ' +
    'const constant constructor constructs copyright decorator default defaultValue deprecated desc description enum ' +
    'eventProperty example exception experimental export exports extends external file fileoverview fires func ' +
    'function generator global group ignore implements import inheritDoc inheritdoc inner instance interface internal ' +
    'kind lends license link linkcode linkplain listens member memberof method mixes mixin module name namespace ' +
    'overload override package packageDocumentation param private privateRemarks prop property protected public ' +
    'readonly remarks requires return returns satisfies sealed see showCategories since static summary template this ' +
    'throws todo tutorial type typedef typeParam var variation version virtual virtual yield yields x'
  ).split(' '),
);

export function isItemTag(name: string): name is ItemTag {
  return ITEM_TAGS.some((tag) => tag === name);
}

/** Ours, whether or not it stands in its place. */
export function isOurs(name: string): boolean {
  return isItemTag(name) || Object.hasOwn(DETAIL_TAGS, name);
}

export function isKnown(name: string): boolean {
  return isOurs(name) || OTHERS.has(name) || MEMBER_TAGS.includes(name);
}

export const OUR_TAGS: readonly string[] = [...ITEM_TAGS, ...Object.keys(DETAIL_TAGS)];

/** Tags that make an item of a function, or attach it to one. */
export const ITEM_TAGS = ['tool', 'resource', 'prompt', 'complete', 'list', 'prepare', 'started'] as const;

type ItemTag = (typeof ITEM_TAGS)[number];

/** The kind of text that follows a tag: nothing, one word, an MCP name, any text, or a form of its own. */
type TagValue = 'nothing' | 'word' | 'name' | 'text' | 'other';

type ValueGroup = 'numbers' | 'strings' | 'lists' | 'any' | 'arguments';

export interface TagEntry {
  /** The text after the tag, as the guide writes it; `''` for none. */
  form: string;
  value: TagValue;
  says: string;
  /** The item that the tag makes, in messages. */
  makes?: string;
  about?: readonly ItemTag[];
  /** The values that the tag constrains: parameters, properties or types. */
  values?: ValueGroup;
  ofClass?: true;
  /** The tag stands before an exported instance of a class. */
  ofInstance?: true;
  /** JSDoc has the tag too, so it is no mistake where mcpgen does not use it. */
  isOthersToo?: true;
  repeats?: true;
  /** Overriding methods inherit the tag: in addition to their own, or if they have none. Default: they do not. */
  inherited?: 'beside' | 'instead';
}

const shown: readonly ItemTag[] = ['tool', 'resource', 'prompt'];
const hint = { form: '[true\\|false]', value: 'other', about: ['tool'], inherited: 'instead' } as const;
const limit = { form: '<number>', value: 'other', values: 'numbers' } as const;
const length = { form: '<count>', value: 'other', values: 'strings' } as const;
const size = { ...length, values: 'lists' } as const;

const entries = {
  tool: {
    form: '[name]',
    value: 'name',
    makes: 'a tool',
    says: "a tool; without a name, the export's own",
    repeats: true,
  },
  resource: {
    form: '<uri>',
    value: 'other',
    makes: 'a resource',
    says: 'a resource, or the resources of a URI template (RFC 6570) such as `weather://stations/{id}{?unit}`',
    repeats: true,
  },
  prompt: { form: '[name]', value: 'name', makes: 'a prompt', says: 'a prompt', repeats: true },
  complete: {
    form: '<prompt>.<argument>',
    value: 'other',
    makes: 'a completion',
    says: 'offers values for an argument; of a template: `@complete weather://stations/{id} id`, or `@complete station.id`',
    repeats: true,
  },
  list: {
    form: '<uri template>',
    value: 'word',
    makes: 'a list of resources',
    says: "lists the resources of a template; by the function's name too: `@list station`",
    repeats: true,
  },
  prepare: {
    form: '<tool>',
    value: 'word',
    makes: 'what prepares a call',
    says: 'runs before a call becomes a task, and gives arguments to the tool',
    repeats: true,
  },
  started: {
    form: '',
    value: 'nothing',
    makes: 'what runs at the start',
    says: 'runs once, with the running server',
  },
  title: {
    form: '<text>',
    value: 'text',
    about: shown,
    values: 'any',
    says: 'what people see; default: the words of the name',
  },
  readOnly: { ...hint, says: 'a hint for clients: it changes nothing' },
  destructive: { ...hint, says: 'a hint: it may overwrite or remove; `@destructive false` says no' },
  idempotent: { ...hint, says: 'a hint: called again, it changes nothing more' },
  openWorld: { ...hint, says: 'a hint: it reaches what is outside, such as the web' },
  content: {
    form: '[true\\|false]',
    value: 'other',
    about: ['tool'],
    says: 'whether a type of the project that looks like a content block of MCP is one; default: it is data',
  },
  scope: {
    form: '<name…>',
    value: 'other',
    about: shown,
    says: 'OAuth scopes that a caller needs',
    repeats: true,
    inherited: 'beside',
  },
  icon: {
    form: '<url> [type] [48x48…] [light\\|dark]',
    value: 'other',
    about: shown,
    says: 'an icon',
    repeats: true,
  },
  meta: {
    form: '<key> <json>',
    value: 'other',
    about: shown,
    says: 'a member of its `_meta`, such as `@meta com.example/cost 3`',
    repeats: true,
  },
  mimeType: {
    form: '<type>',
    value: 'other',
    about: ['tool', 'resource'],
    says: 'of bytes or text that the function returns',
  },
  audience: {
    form: '<user\\|assistant…>',
    value: 'other',
    about: ['resource'],
    says: 'whom it is for',
  },
  priority: {
    form: '<number>',
    value: 'other',
    about: ['resource'],
    says: 'how much it matters, from 0 to 1',
  },
  task: {
    form: '[optional\\|required\\|forbidden]',
    value: 'other',
    about: ['tool'],
    says: 'whether a call may go on as a task; alone: `optional`',
  },
  deprecated: {
    form: '[text]',
    value: 'text',
    about: shown,
    values: 'any',
    says: 'said first in the description, with the text',
    isOthersToo: true,
  },
  schema: {
    form: '<json\\|Name>',
    value: 'other',
    about: ['tool'],
    values: 'any',
    says: 'a JSON Schema in place of the type (of a tool: of its result), or the name of a schema of zod and others',
  },
  hidden: {
    form: '',
    value: 'nothing',
    about: ITEM_TAGS,
    values: 'any',
    says: 'left out; a parameter or a property must be optional',
  },
  instance: {
    form: '<process\\|session>',
    value: 'other',
    ofClass: true,
    says: 'how many instances its methods have: one, or one for each session',
  },
  prefix: {
    form: '<text>',
    value: 'word',
    ofInstance: true,
    says: 'what the names of its tools and prompts begin with, such as `work_`',
  },
  minimum: { ...limit, says: 'the least value' },
  maximum: { ...limit, says: 'the greatest value' },
  exclusiveMinimum: { ...limit, says: 'what the value is above' },
  exclusiveMaximum: { ...limit, says: 'what the value is below' },
  multipleOf: { ...limit, says: 'what the value is a multiple of' },
  minLength: { ...length, says: 'the fewest characters' },
  maxLength: { ...length, says: 'the most characters' },
  pattern: {
    form: '<regular expression>',
    value: 'text',
    values: 'strings',
    says: 'what the text matches; `/…/` may enclose it',
  },
  format: {
    form: '<name>',
    value: 'other',
    values: 'strings',
    says: 'a format of JSON Schema, such as `email`',
  },
  minItems: { ...size, says: 'the fewest items' },
  maxItems: { ...size, says: 'the most items' },
  uniqueItems: { form: '[true\\|false]', value: 'other', values: 'lists', says: 'no item occurs twice' },
  default: {
    form: '<json>',
    value: 'text',
    values: 'any',
    says: 'what an argument is that is left out',
  },
  example: {
    form: '<json>',
    value: 'text',
    values: 'any',
    says: 'an example of a value',
    isOthersToo: true,
    repeats: true,
  },
  header: {
    form: '<Name>',
    value: 'other',
    values: 'arguments',
    says: 'clients repeat the argument in the HTTP header `Mcp-Param-Name`',
  },
} as const satisfies Record<string, TagEntry>;

export type TagName = keyof typeof entries;

export type ValueTag = {
  [N in TagName]: (typeof entries)[N] extends { values: ValueGroup } ? N : never;
}[TagName];

export const TAGS: Readonly<Record<TagName, TagEntry>> = entries;

export const TAG_NAMES = Object.keys(entries) as readonly TagName[];

export const VALUE_TAGS = TAG_NAMES.filter((name) => TAGS[name].values !== undefined);

export function isConstraint(name: string): boolean {
  const group = findTagEntry(name)?.values;
  return group === 'numbers' || group === 'strings' || group === 'lists';
}

/** `@defaultValue` of TSDoc is `@default`. */
export function normalizeTagName(name: string): string {
  return name === 'defaultValue' ? 'default' : name;
}

export function findTagEntry(name: string): TagEntry | undefined {
  return Object.hasOwn(TAGS, name) ? TAGS[name as TagName] : undefined;
}

export function isItemTag(name: string): name is ItemTag {
  return ITEM_TAGS.some((tag) => tag === name);
}

/** Whether the tag only describes an item that another tag makes. */
export function isDetailTag(name: string): boolean {
  const { about, values } = findTagEntry(name) ?? {};
  return about !== undefined && values === undefined;
}

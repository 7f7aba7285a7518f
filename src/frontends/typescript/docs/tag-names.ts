/** Tags that say something of a value's schema, on a parameter, a member or a type. */
export const valueTags = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format', 'minItems', 'maxItems', 'uniqueItems'],
  ...['default', 'example', 'deprecated', 'title', 'schema', 'hidden'],
] as const;

/** Tags of what a server offers: functions, classes and their methods. */
export const capabilityTags = [
  ...[
    'tool',
    'resource',
    'prompt',
    'complete',
    'list',
    'prepare',
    'started',
    'readOnly',
    'destructive',
    'idempotent',
    'openWorld',
  ],
  ...['scope', 'icon', 'mimeType', 'audience', 'priority', 'task', 'header', 'instance'],
] as const;

/** Tags whose text documents something else than what the block stands before; tags inside of it belong to that. */
export const carrierTags: ReadonlySet<string> = new Set([
  ...['param', 'arg', 'argument', 'property', 'prop', 'returns', 'return', 'template', 'typedef', 'throws'],
]);

/** These count wherever they stand in a line; any other tag only where it begins one. */
export const knownTags: ReadonlySet<string> = new Set([...valueTags, ...capabilityTags]);

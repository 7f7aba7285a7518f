/**
 * What can differ between two surfaces, and whether a client that worked yesterday may fail today.
 *
 * Arguments break when less is taken than before. Results break when they are promised to be stricter (the API's own
 * answers may not keep the promise), or when something that was there may be missing.
 */

/** `breaking` and `compatible` as they stand, or by the side of the schema: what is sent, what comes back. */
type Verdict = Effect | { input: Effect; output: Effect };
export type Effect = 'breaking' | 'compatible';
export type Side = 'input' | 'output';

const changeKinds = {
  // Of an item as a whole
  added: 'compatible',
  removed: 'breaking',
  renamed: 'breaking',
  'title-changed': 'compatible',
  'description-changed': 'compatible',
  'icons-changed': 'compatible',
  'annotation-changed': 'compatible',
  'media-type-changed': 'breaking',
  // Of an origin that requests and credentials go to
  'origin-added': 'breaking',
  'origin-removed': 'compatible',
  // Of a tool
  'safety-lost': 'breaking',
  'safety-gained': 'compatible',
  'scope-added': 'breaking',
  'scope-removed': 'compatible',
  'task-support-lost': 'breaking',
  'task-support-gained': 'compatible',
  'result-described': 'compatible',
  'result-not-described': 'breaking',
  // Of an argument, or a member of a result
  'member-added': 'compatible',
  'required-member-added': { input: 'breaking', output: 'compatible' },
  'member-removed': 'breaking',
  'became-required': 'breaking',
  'became-optional': { input: 'compatible', output: 'breaking' },
  'type-narrowed': 'breaking',
  'type-widened': { input: 'compatible', output: 'breaking' },
  'type-changed': 'breaking',
  'value-removed': 'breaking',
  'value-added': 'compatible',
  'constraint-tightened': 'breaking',
  'constraint-loosened': 'compatible',
  'constraint-changed': 'breaking',
  'alternative-removed': 'breaking',
  'alternative-added': { input: 'compatible', output: 'breaking' },
  closed: 'breaking',
  opened: 'compatible',
  'default-added': 'compatible',
  'default-changed': { input: 'breaking', output: 'compatible' },
  deprecated: 'compatible',
  'no-longer-deprecated': 'compatible',
  'keyword-changed': 'compatible',
} as const satisfies Record<string, Verdict>;

export type ChangeKind = keyof typeof changeKinds;

/** `side` counts where the kind is one of schemas. */
export function effectOf(kind: ChangeKind, side: Side = 'input'): Effect {
  const verdict: Verdict = changeKinds[kind];
  return typeof verdict === 'string' ? verdict : verdict[side];
}

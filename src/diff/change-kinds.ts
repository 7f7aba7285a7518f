/**
 * The kinds of changes between two surfaces, and whether each can break a client.
 *
 * Arguments break if fewer values are accepted than before. Results break if their schema is stricter (responses of the API may
 * not match it), or if a member may be missing.
 */
/** An effect, or one for each side of the schemas: arguments (`input`) and results (`output`). */
type Verdict = Effect | { input: Effect; output: Effect };
export type Effect = 'breaking' | 'compatible';
export type Side = 'input' | 'output';

/** Absent members are empty. */
export interface Texts {
  before?: string;
  after?: string;
}

const changeKinds = {
  // Items as a whole
  added: 'compatible',
  removed: 'breaking',
  renamed: 'breaking',
  'title-changed': 'compatible',
  'description-changed': 'compatible',
  'icons-changed': 'compatible',
  'meta-changed': 'compatible',
  'annotation-changed': 'compatible',
  'surface-changed': 'breaking',
  'media-type-changed': 'breaking',
  // Origins of requests and credentials
  'origin-added': 'breaking',
  'origin-removed': 'compatible',
  // Tools
  pinned: 'compatible',
  'no-longer-pinned': 'breaking',
  'safety-lost': 'breaking',
  'safety-gained': 'compatible',
  'scope-added': 'breaking',
  'scope-removed': 'compatible',
  'task-support-lost': 'breaking',
  'task-support-gained': 'compatible',
  'result-described': 'compatible',
  'result-not-described': 'breaking',
  // Arguments, and members of results
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

/** `side` matters only for changes of schemas. */
export function findEffect(kind: ChangeKind, side: Side = 'input'): Effect {
  const verdict: Verdict = changeKinds[kind];
  return typeof verdict === 'string' ? verdict : verdict[side];
}

interface DeprecationChange {
  kind: ChangeKind;
  text: string;
}

/** The mark of a deprecated tool or argument, which `src/derive` puts in front of the description. */
const MARK = /^(Sent as "[^"]*"\. )?\W*deprecated\s*(?:[.:,;!(-]\s*|$)/i;

export function compareDeprecation(
  before = '',
  after = '',
): { changes: DeprecationChange[]; isReworded: boolean } {
  const [was, is] = [MARK.test(before), MARK.test(after)];
  if (was === is) return { changes: [], isReworded: before !== after };
  const change: DeprecationChange = is
    ? { kind: 'deprecated', text: 'deprecated' }
    : { kind: 'no-longer-deprecated', text: 'no longer deprecated' };
  return { changes: [change], isReworded: removeDeprecationMark(before) !== removeDeprecationMark(after) };
}

function removeDeprecationMark(text: string): string {
  return text.replace(MARK, '$1').trim();
}

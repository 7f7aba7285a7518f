/** The checks of a family, and how each is taken out of a build. */

/** `edits`: of the runtime, as projects get it. */
export function removal(rows, ...edits) {
  return { rows, edits, files: ['dist/runtime.json'] };
}

/** Never refuses. `condition`: of an `if`. */
export function never(condition) {
  return [`if (${condition})`, 'if (false)'];
}

/** Of the modules that are compiled one by one. `name`: below `dist`, without its ending. */
export function inModule(name, rows, ...edits) {
  return { rows, edits, files: [`dist/${name}.js`] };
}

const anyone = `({ auth: { issuer: "x", subject: "x", scopes: [], claims: {} }, subject: "x", redact: (text) => text, watch: () => () => undefined })`;

/** Each caller is let in, with a bad token or none. @type {[from: string, to: string]} */
export const ANY_TOKEN = [
  'return guard.admit(exchange);',
  `return guard.admit(exchange).catch(() => ${anyone});`,
];

/** What a token opened stays open. @type {[from: string, to: string]} */
export const CHECKED_ONCE = ['const schedule = () => wakeIn(', 'const schedule = () => void ('];

/** Each session is of everybody. @type {[from: string, to: string][]} */
export const ANY_SUBJECT = [
  [' || session.caller?.subject !== caller?.subject', ''],
  ['return one?.subject === other?.subject;', 'return true;'],
];

/** Each task is of everybody. @type {[from: string, to: string]} */
export const ANY_TASK = [' || task.owner.subject !== session.caller?.subject', ''];

/** A state is of everybody. @type {[from: string, to: string]} */
export const ANY_STATE = [' && state.subject === subject', ''];

/** Any id is that of the first session. @type {[from: string, to: string]} */
export const ANY_SESSION = ['(await revive(id, exchange))', '[...byId.values()][0]'];

/** Any name leads to this machine. @type {[from: string, to: string]} */
export const ANY_HOST = never("name === '' || !(isListed || (isLocal && LOOPBACK.test(name)))");

/** The events of a stream are sent in any session. @type {[from: string, to: string]} */
export const ANY_STREAM = [
  'const logs = new WeakMap();',
  'const log = new SessionLog(); const logs = { get: () => log, set: () => undefined };',
];

/** A message may be as deep and as long as it likes. @type {[from: string, to: string]} */
export const ANY_SIZE = ['text.length <= MAX_LEVELS || !isTooLarge(text)', 'true'];

/** An answer counts, whatever was asked. @type {[from: string, to: string]} */
export const ANY_ANSWER = ['asked?.includes(key) ?? !isOnce', 'true'];

/** A stream or a connection stays open, for which a row waits. */
export const STAYS_OPEN = /got failed: no answer/;

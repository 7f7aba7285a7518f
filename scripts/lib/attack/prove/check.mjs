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

const anyone = `{ auth: { issuer: "x", subject: "x", scopes: ["add", "base", "admin"], claims: {} }, subject: "x", endsAt: Infinity, checkedUntil: Infinity, withoutToken: (text) => text, untilRefused: () => () => undefined }`;

/** Whom a WebSocket comes from is asked for nothing. @type {[from: string, to: string]} */
export const ANY_SOCKET = [
  'const caller = guard === void 0 ? void 0 : await guard.admitRequest(request);',
  `const caller = ${anyone};`,
];

/** Each caller is let in, with a bad token or none. @type {[from: string, to: string][]} */
export const ANY_TOKEN = [
  [
    'if (thrown instanceof TokenRefusal) throw this.#refusals.badTokenRefusal(thrown, scheme);',
    `if (thrown instanceof TokenRefusal) return ${anyone};`,
  ],
  [
    'if (sent.kind !== "token") throw this.#refusals.missingTokenRefusal(sent);',
    `if (sent.kind !== "token") return ${anyone};`,
  ],
  ['throw this.#refusals.uncheckedTokenRefusal();', `return ${anyone};`],
];

/** Each session is of everybody. @type {[from: string, to: string]} */
export const ANY_SUBJECT = [' || entry.subject !== subject) return void 0;', ') return void 0;'];

/** Any id is that of the first session. @type {[from: string, to: string]} */
export const ANY_SESSION = [
  'const entry = this.#entries.get(id);\n\t\tif (entry === void 0 ||',
  'const entry = this.#entries.get(id) ?? [...this.#entries.values()][0];\n\t\tif (entry === void 0 ||',
];

/** Any text of its length is the signed id of a session. @type {[from: string, to: string][]} */
export const ANY_SIGNED_ID = [
  [
    'verifyId(id, subject) {',
    'verifyId(id, subject) {\n\t\treturn { agreement: { revision: "2025-11-25", features: featuresOf("2025-11-25"), clientInfo: void 0, clientCapabilities: {} }, surface: void 0 };',
  ],
  ['return readIssueTime(Buffer.from(id, "base64url")) + this.#lifetimeMs;', 'return Infinity;'],
];

/** Any name leads to this machine. @type {[from: string, to: string]} */
export const ANY_HOST = never('!isServedHost(host, rules, isLocal)');

/** Pages of any origin may call. @type {[from: string, to: string]} */
export const ANY_ORIGIN = [
  'if (origin === void 0 ? !isCrossSite(site) : rules.allowedOrigins.includes(origin)) return;',
  'return;',
];

/** The events of a stream are sent in any session. @type {[from: string, to: string][]} */
export const ANY_STREAM = [
  [
    'this.#streams.set(0, this.listening);',
    'this.#streams.set(0, this.listening); (globalThis.ofAll ??= []).push(this.#streams);',
  ],
  ['place !== void 0 && place.mark !== this.mark', 'false'],
  ['place === void 0 || place.number > this.#opened', 'place === void 0'],
  [
    'const stream = this.#streams.get(place.number);\n\t\tif (stream === void 0) return { follows: "forgotten" };',
    `const stream = globalThis.ofAll.map((each) => each.get(place.number)).find((each) => each?.whatFollows(place.index) === "more");
   if (stream === void 0) return { follows: "forgotten" };`,
  ],
];

/** Arguments need not match the input schema. @type {[from: string, to: string][]} */
export const ANY_ARGUMENTS = [
  ['if ("reason" in checked && !(isTask', 'if (false && !(isTask'],
  [
    'if ("reason" in checked) return unfitResult(call, checked.reason);',
    'checked.args ??= call.params.arguments ?? {};',
  ],
];

/** A stream or a connection stays open, for which a row waits. */
export const STAYS_OPEN = /got failed: no answer/;

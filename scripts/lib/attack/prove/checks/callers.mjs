/** Sessions, tasks, states and scopes of callers; what is got on their behalf. */
import { refusal, replacement } from '../checks.mjs';

const callers = ['callers'];
const states = ['states of callers'];
const scopes = ['scopes'];
const state = ['request state'];
const exchanges = ['exchanges'];
const onBehalf = ['credentials of callers'];

export const checks = [
  {
    ...replacement(
      'session of its subject',
      [' || entry.subject !== subject) return void 0;', ') return void 0;'],
      callers,
      /a call in the session, by|a message to a session of HTTP\+SSE, by/,
    ),
    // Its events are streamed to another caller, or it was ended.
    admits: /wanted 404.*got (?:failed: no answer|204)/,
  },
  replacement(
    'task of its subject',
    ['task?.owner.subject === subject ? task', 'true ? task'],
    callers,
    /tasks\/(?:get|result) of a task, by/,
  ),
  {
    ...replacement(
      'list of tasks of its subject',
      ['owner.subject === subject && (subject !== void 0 || owner.client === client)', 'true'],
      callers,
      /the list of tasks, by/,
    ),
    admits: /, with it$/,
  },
  replacement(
    'scopes',
    ['if (coversScopes(call, scopes) && coversScopes(call, needed)) return;', 'return;'],
    scopes,
    /needs more, in|(?:a session|tasks\/\w+ of a task) of a token that allowed more|^HTTP\+SSE: (?:a call that|a batch of such)/,
  ),
  replacement(
    'scopes are texts as a whole',
    ['flatMap((text) => text.split(" "))', 'flatMap((text) => text.split(/[ ,\\t"]/))'],
    scopes,
    /a scope (?:behind|in quotes)/,
  ),
  {
    ...refusal(
      'a state is signed',
      'more.length > 0 || !isSigned',
      state,
      /^(?:a payload|a later expiry|the same payload|a signature|no signature|half a|two signatures)/,
    ),
    each: true,
  },
  replacement(
    'a state of its method',
    ['state.method === method && ', ''],
    states,
    /state of another method/,
  ),
  replacement(
    'a state of its parameters',
    ['state.params === binding?.params && ', ''],
    state,
    /^a good state (?:on|with |without)/,
  ),
  replacement(
    'a state of its subject',
    ['state.subject === binding.subject && ', ''],
    callers,
    /the state of a question of (?:ask|pay), by|confirm: yes of another caller/,
  ),
  replacement(
    'a state expires',
    ['state.expires > Date.now() && ', ''],
    states,
    /state that (?:expire|never expires)/,
  ),
  replacement(
    'a state counts once',
    [' && shared.takeOnce(`state ${nonce}`, expires - Date.now())', ''],
    states,
    /a state that counts once, tw/,
  ),
  replacement(
    'a state of its process',
    ['process === shared.scope && shared', 'shared'],
    states,
    /of (?:another|no) process/,
  ),
  {
    check: 'a stream of its session',
    edits: [
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
    ],
    families: ['callers', 'sessions'],
    rows: /an event of a stream of the session|behind (?:1-0|1-1|2-1)$/,
    each: true,
  },
  refusal('status of an exchange', 'status !== 200', exchanges, /an error with a token|another status/),
  refusal(
    'form of an issued token',
    'typeof token !== "string" || !/^[\\x21-\\x7e]+$/.test(token)',
    exchanges,
    /a header in the token|a token with a blank/,
  ),
  {
    check: 'the token of a caller is not its exchange',
    edits: [
      ['if (token === ownToken)', 'if (false)'],
      ['if (!Object.values(values).some((value) => containsToken(caller, value)))', 'if (true)'],
      ['if (!texts.some(isOwnToken)) return;', 'return;'],
    ],
    families: exchanges,
    rows: /the caller’s own token/,
  },
  replacement(
    'the token of a caller goes to no API',
    ['if (!texts.some(isOwnToken)) return;', 'return;'],
    exchanges,
    /the token of the caller in an argument/,
  ),
  refusal(
    'type of an issued token',
    'typeof issued !== "string" || !Object.values(TOKEN_TYPES).includes(issued)',
    exchanges,
    /a refresh token/,
  ),
  refusal(
    'how an issued token is used',
    'typeof type !== "string" || type.toLowerCase() !== "bearer"',
    exchanges,
    /a proof|not to be borne/,
  ),
  replacement(
    'an exchange of its caller',
    ['canonicalJson([\n\t\tissuer,\n\t\tsubject,', 'canonicalJson([\n\t\tissuer, delete lasting.sub,'],
    exchanges,
    /by another subject/,
  ),
  replacement(
    'an exchange of the token’s scopes',
    ['[...scopes].sort(),\n\t\tlasting', '[],\n\t\t{ ...lasting, scope: 0 }'],
    exchanges,
    /by fewer scopes/,
  ),
  replacement(
    'an exchange of the token’s claims',
    ['clientId,\n\t\t[...scopes].sort(),\n\t\tlasting', '[...scopes].sort()'],
    exchanges,
    /by another (?:tenant|client)/,
  ),
  {
    ...replacement(
      'the token of a caller is not written down',
      ['(text) => redact(withoutToken(text))', '(text) => redact(text)'],
      exchanges,
      /the token of the caller in an argument/,
    ),
    admits: /, told$/,
  },
  refusal(
    'an issued token of one caller',
    'known !== void 0 && known.owner !== owner && now() < known.until',
    exchanges,
    /given to another subject|one token for twenty/,
  ),
  replacement(
    'whom a token was issued for is issuer and subject',
    ['claim(subjectKey(caller),', 'claim(caller.subject,'],
    exchanges,
    /given to the same subject of another issuer/,
  ),
  replacement(
    'no credentials but those of the caller',
    ['isManaged(parts, wanted) && parts.mode === "required"', 'false'],
    onBehalf,
    /for credentials, nothing/,
  ),
  replacement(
    'credentials of their form',
    ['return isText(value) ? { [variable]: value } : void 0;', 'return { [variable]: String(value) };'],
    onBehalf,
    /for credentials, (?:no member|a token that is a list)/,
  ),
  replacement(
    'credentials that have not expired',
    ['isExpiry(expiresAt) && expiresAt * 1e3 > now', 'isExpiry(expiresAt)'],
    onBehalf,
    /a token that has expired/,
  ),
  replacement(
    'credentials of their caller',
    [
      'const key = JSON.stringify([\n\t\tcallerKey(caller),\n\t\tapi,',
      'const key = JSON.stringify([\n\t\tapi,',
    ],
    onBehalf,
    /those that alice has/,
  ),
  replacement(
    'what is posted over HTTP+SSE reaches as far as its stream',
    ['if (guard.coversScopes(scopes, opener)) return;', 'return;'],
    scopes,
    /HTTP\+SSE: .* that reaches further/,
  ),
];

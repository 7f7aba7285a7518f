/** Tokens, keys and those who issue them. */
import { refusal, replacement } from '../checks.mjs';
import { ANYONE } from './whole.mjs';

const tokens = ['tokens', 'places of tokens'];
const keys = ['keys of issuers'];
const bound = ['sender-constrained tokens'];

export const checks = [
  {
    check: 'algorithms, here and in jose',
    edits: [
      ['if (!rules.algorithms.includes(header.alg ?? ""))', 'if (false)'],
      ['const options = { algorithms: [...algorithms] };', 'const options = {};'],
    ],
    families: keys,
    rows: /an algorithm that does not count here/,
  },
  replacement(
    'signature',
    ['return parsePayload(await compactVerify(token, keys, options));', 'return decodeJwt(token);'],
    tokens,
    /signature of zeros/,
  ),
  replacement(
    'the key is one of the issuer',
    [
      'return parsePayload(await compactVerify(token, keys, options));',
      `const { jwk } = decodeProtectedHeader(token);
       return parsePayload(await compactVerify(token, jwk === undefined ? keys : await import("jose").then((jose) => jose.importJWK(jwk)), options));`,
    ],
    tokens,
    /a key in jwk/,
  ),
  replacement(
    'the key is not fetched from where the token says',
    [
      'const { keys, until } = await keySet.keys();',
      `const { jku } = decodeProtectedHeader(token);
       const { keys, until } = jku === undefined ? await keySet.keys() : { keys: createLocalJWKSet(await (await fetch(jku)).json()), until: Infinity };`,
    ],
    tokens,
    /behind jku/,
  ),
  replacement(
    'certificates of the token are not trusted',
    [
      'const { keys, until } = await keySet.keys();',
      `const { x5c, x5u, alg } = decodeProtectedHeader(token);
       const { importX509 } = await import("jose");
       const pem = x5c === undefined ? x5u && await (await fetch(x5u)).text() : \`-----BEGIN CERTIFICATE-----\\n\${x5c[0]}\\n-----END CERTIFICATE-----\`;
       const { keys, until } = pem === undefined ? await keySet.keys() : { keys: await importX509(pem, alg), until: Infinity };`,
    ],
    tokens,
    /a certificate in x5c/,
  ),
  {
    ...replacement(
      'tokens that are bound to a key',
      ['if (cnf !== void 0) throw new TokenRefusal', 'if (false) throw new TokenRefusal'],
      bound,
      /a JWT that is bound to a key of DPoP|by the second question/,
    ),
    // What the token opened stays open.
    admits: /wanted 1008, got failed: no answer/,
  },
  replacement(
    'tokens for the API that are bound to a key',
    ['if (cnf !== void 0) return "the token', 'if (false) return "the token'],
    bound,
    /a token for the API/,
  ),
  replacement(
    'token types',
    ['if (type === void 0 || typeof type', 'if (true || typeof type'],
    bound,
    /token_type/,
  ),
  replacement('kinds of tokens', ['refuseOtherKinds(claims);', ''], bound, /token_use/),
  replacement(
    'bound tokens of own code',
    ['isRecord(each) ? readConfirmation(each) : void 0', 'void 0'],
    bound,
    /of own code/,
  ),
  replacement(
    'the scheme of bound tokens',
    ['if (scheme === "DPoP" && !verifiesProofs)', 'if (false)'],
    bound,
    /a good token, by the scheme DPoP/,
  ),
  replacement('type', ['if (type === "at+jwt" ||', 'if (true ||'], tokens, /type JWT/),
  refusal('critical headers', 'header.crit !== void 0', tokens, /critical headers/),
  replacement(
    'issuer',
    [
      'const keySet = keySets.get(issuer);',
      'const keySet = keySets.get(issuer) ?? [...keySets.values()][0];',
    ],
    tokens,
    /another issuer/,
  ),
  replacement(
    'issuer is a text',
    ['if (typeof iss === "string") return iss;', 'return String(iss);'],
    tokens,
    /issuer in a list/,
  ),
  refusal('audience', '!meant.some((each) => ours.has(normalizeOne(each)))', tokens, /another audience/),
  replacement(
    'audience in its own case',
    [
      'const normalizeOne = (one) => normalizeAudience(one, trailingSlash);',
      'const normalizeOne = (one) => normalizeAudience(one, trailingSlash).toLowerCase();',
    ],
    tokens,
    /audience in capitals/,
  ),
  replacement(
    'audience as a whole',
    ['ours.has(normalizeOne(each))', '[...ours].some((one) => each.startsWith(one))'],
    tokens,
    /audience that begins alike/,
  ),
  refusal('expiry', 'now >= expiresAt + tolerance', tokens, /expired long ago/),
  replacement('tolerance', ['rules.toleranceSeconds);', '3600);'], tokens, /initialize: expired$/),
  refusal('an expiry there is', 'auth.expiresAt === void 0', tokens, /never expiring/),
  refusal('not before', '(readTime(claims, "nbf") ?? now) > now + tolerance', tokens, /not valid yet/),
  refusal('issued at', '(readTime(claims, "iat") ?? now) > now + tolerance', tokens, /issued in the future/),
  refusal('subject', 'typeof subject !== "string" || subject === ""', tokens, /no subject/),
  refusal('token in the query', 'hasQueryToken(url)', tokens, /in the query.*beside a good one/),
  {
    check: 'scheme',
    edits: [
      ['/^(?:bearer|dpop)\\b/i.exec', '/^\\w+/i.exec'],
      ['/^(bearer|dpop) +(', '/^(\\w+) +('],
    ],
    families: tokens,
    rows: /another scheme/,
  },
  replacement(
    'one token',
    [' *$/i;\nfunction readToken', '/i;\nfunction readToken'],
    tokens,
    /twice in a field/,
  ),
  replacement(
    'whom each request comes from',
    ['if (guard === void 0 || request.method === "OPTIONS")', 'if (true)'],
    tokens,
    /a good token, sent nowhere/,
  ),
  replacement(
    'whom a WebSocket comes from',
    [
      'const caller = guard === void 0 ? void 0 : await guard.admitRequest(request);',
      `const caller = ${ANYONE};`,
    ],
    tokens,
    /WebSocket: no token/,
  ),
  replacement(
    'a known token is checked again',
    ['this.#options.now() < finding.until ? finding.value', 'true ? finding.value'],
    keys,
    /taken back/,
  ),
  replacement(
    'keys are fetched again',
    [
      'if (now() - this.#fetchedAt >= limits.keysMs) await this.#fetchUnlessFailed();',
      'if (this.#keys === void 0) await this.#fetchUnlessFailed();',
    ],
    keys,
    /same name/,
  ),
  replacement('keys end', ['now() >= oldAt + limits.staleKeysMs', 'false'], keys, /longer than keys count/),
  {
    ...refusal(
      'keys are not asked for at will',
      'now() - this.#fetchedAt < limits.cooldownMs',
      keys,
      /fifty made-up/,
    ),
    admits: /times asked for/,
  },
  refusal('metadata of the issuer', 'json["issuer"] !== issuer', keys, /it is another issuer/),
  {
    check: 'where keys are is a secure URL',
    edits: [
      ['const jwksUri = parseSecureUrl(uri);', 'const jwksUri = uri === void 0 ? void 0 : new URL(uri);'],
    ],
    families: keys,
    rows: /its keys are at http, elsewhere/,
  },
  replacement(
    'no password in a URL',
    ['url.username === "" && url.password === ""', 'true'],
    keys,
    /its keys need a password/,
  ),
];

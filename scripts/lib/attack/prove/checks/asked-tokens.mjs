/** Tokens that their issuer is asked about, and what they opened. */
import { refusal, replacement } from '../checks.mjs';

const asked = ['tokens that are asked about'];

const BY_200 = [
  'status !== 200 || json === void 0) throw new CheckFailure(`${url.href} answers',
  'json === void 0) throw new CheckFailure(`${url.href} answers',
];

/** Streams that the token opened stay open. */
const STAYS_OPEN = { admits: /no answer/ };

export const checks = [
  replacement('a token is active', ['json["active"] !== true', '!json["active"]'], asked, /active (?:in|by)/),
  refusal(
    'a token is not revoked',
    'json["active"] !== true',
    asked,
    /a token that was revoked|says nothing of/,
  ),
  replacement('what is said of a token is said by 200', BY_200, asked, /good claims by (?:201|500|401)/),
  {
    check: 'a question that is no good has no good token',
    edits: [['if (status === 400 && ', 'if (false && '], BY_200],
    families: asked,
    rows: /good claims by 400/,
  },
  replacement(
    'the issuer of a token that is asked about',
    ['if (typeof iss === "string" && [first, ...others].includes(iss)) return iss;', 'return iss ?? first;'],
    asked,
    /another issuer|no issuer|issuers in a list/,
  ),
  replacement(
    'a token that was asked about is asked about again',
    ['now() + limits.introspectionMs, true', 'Infinity, true'],
    asked,
    /a token that (?:was revoked|lost its scopes?|lost one of them|is (?:for others|of another issuer) now)$|call in its session by a token that stands for another/,
  ),
  {
    ...replacement(
      'what a token opened ends when it is refused',
      [
        'const isExpired = now() >= good.endsAt;',
        'if (thrown instanceof TokenRefusal) return wakeIn(limits.failureMs); const isExpired = false;',
      ],
      [...asked, 'callers'],
      /events at .* was revoked/,
    ),
    ...STAYS_OPEN,
  },
  {
    ...refusal(
      'what a token opened ends when it reaches less far',
      '!grantsAsMuch(found.auth, caller.auth)',
      asked,
      /events at .* lost a scope/,
    ),
    ...STAYS_OPEN,
  },
  {
    ...replacement(
      'what a token opened stays of its subject',
      ['&& found.subject === first.subject', ''],
      asked,
      /events at .* another subject/,
    ),
    ...STAYS_OPEN,
  },
  {
    ...replacement(
      'what a token opened stays of its issuer',
      ['found.issuer === first.issuer && ', ''],
      asked,
      /events at .* another issuer/,
    ),
    ...STAYS_OPEN,
  },
  // While its issuer can be asked, the next look at it ends it too.
  {
    ...refusal(
      'a stream ends with its token',
      'now() >= good.endsAt',
      [...asked, 'callers'],
      /has expired, while nobody can be asked/,
    ),
    ...STAYS_OPEN,
  },
];

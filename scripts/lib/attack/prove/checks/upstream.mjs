/** Requests to the API behind a server. */
import { refusal, replacement } from '../checks.mjs';

const paths = ['paths'];
const injection = ['injection'];
const redirects = ['redirects'];

const INWARD = [
  'if (reach === "public" || reach === "inward" && reachOf(from.hostname) === "inward") return;',
  'return;',
];

/** The API got a value that ends, and says more. */
const OF_ITS_OWN = { admits: /wanted one value, got GET / };

export const checks = [
  refusal('steps up in a path', 'path.split(/[/?#]/).some(isDotSegment)', paths, /simple \{"id":"\.\."\}/),
  replacement(
    'steps up that are encoded',
    ['/^(?:\\.|%(?:25)*2e){1,2}(?:$|', '/^\\.{1,2}(?:$|'],
    paths,
    /%2e%2e/,
  ),
  replacement(
    'steps up of servers of Java',
    ['{1,2}(?:$|;|%(?:25)*3b)/i.test(segment)', '{1,2}$/i.test(segment)'],
    paths,
    /whole \{"id":"(?:\.\.;x?\/admin|%2e%2e;)/,
  ),
  refusal('a segment that is empty', 'text === void 0 || /^\\/*$/.test(text)', paths, /simple \{"id":""\}/),
  {
    check: 'segments stay segments, and no steps up',
    edits: [
      ['encodeReservedInPath : encodeUnreserved;', 'encodeReservedInPath : encodeReservedInPath;'],
      ['if (path.split(/[/?#]/).some(isDotSegment))', 'if (false)'],
    ],
    families: paths,
    rows: /a\/\.\.\//,
    // The API is asked for it, where it would have been one segment.
    admits: /got GET \S*\/\.\.\//,
  },
  {
    ...replacement(
      'values of a query',
      ['return [encodeUnreserved, encodeUnreserved];', 'return [encodeUnreserved, asIs];'],
      injection,
      /search /,
    ),
    ...OF_ITS_OWN,
  },
  {
    ...replacement(
      'values of a query that may be reserved',
      ['encodeReservedInCookie : encodeReservedInQuery];', 'encodeReservedInCookie : asIs];'],
      injection,
      /reserved /,
    ),
    ...OF_ITS_OWN,
  },
  {
    check: 'values of a cookie',
    edits: [
      [
        'return [encodeUnreserved, encodeUnreserved];',
        'return [encodeUnreserved, parameter.in === "cookie" ? asIs : encodeUnreserved];',
      ],
      ['if (/[\\0-\\x1F\\x7F;]/.test(text))', 'if (false)'],
    ],
    families: injection,
    rows: /kept /,
    ...OF_ITS_OWN,
  },
  replacement('redirects inward', INWARD, redirects, /to http:\/\/127\.0\.0\.1/),
  replacement(
    'addresses in IPv6',
    ['if (family === 0) return "public";', 'if (family !== 4) return "public";'],
    redirects,
    /to http:\/\/\[::/,
  ),
  replacement('addresses of IPv4 within those of IPv6', ['["64:ff9b::", "::"]', '[]'], redirects, /64:ff9b/),
  replacement(
    'names of this machine',
    ['if (host === "localhost" || host.endsWith(".localhost")) return "inward";', ''],
    redirects,
    /localhost/,
  ),
  {
    check: 'redirects to what is no HTTP, inward',
    edits: [
      ['if (url?.protocol === "http:" || url?.protocol === "https:") return url;', 'return url;'],
      INWARD,
    ],
    families: redirects,
    rows: /gopher|ftp/,
  },
  replacement(
    'redirects take nothing along',
    ['const names = isSameOrigin ? wire.headers.names() : HARMLESS;', 'const names = wire.headers.names();'],
    redirects,
    /nothing that was for the first/,
  ),
  refusal('redirects end', 'redirects >= limits.redirects', redirects, /without end/),
  {
    ...replacement(
      'credentials of their host',
      ['env[`${name}_${host}`]', 'env[name]'],
      redirects,
      /the host of abroad/,
    ),
    admits: /got Bearer of-the-first$/,
  },
];

/** Arguments that would write more than their place in a request to the API. */
import { callOf, outcomeOf } from '../session.mjs';

export const family = 'injection';

const breaks = [
  'a\r\nX-Evil: 1',
  'a\nX-Evil: 1',
  'a\rX-Evil: 1',
  'a\r\n\r\nGET /admin HTTP/1.1\r\nHost: evil\r\n\r\n',
  'a\0b',
  'a\x0b\x0cb',
  'a\x1b[2J',
  'a\x7f',
  '\r\n',
];
/** Characters whose low bytes are a line break, if each is cut to one byte. */
const wide = ['a\u010d\u010aX-Evil: 1', 'a\u560d\u560aX-Evil: 1', 'a\u2028X-Evil: 1', 'a\u0085X-Evil: 1'];
const cookies = ['a; admin=1', 'a, admin=1', 'a\r\nSet-Cookie: b=c', 'a=b; Path=/', '"a"; b'];
const queries = [
  ...breaks,
  ...wide,
  'a&admin=1',
  'a#b',
  'a HTTP/1.1',
  'a;b=c',
  '%0d%0aX-Evil: 1',
  'a+b',
  '%26admin%3D1',
];

export const rows = [
  ...breaks.map((value) => ({
    name: `a header: ${JSON.stringify(value)}`,
    want: 'tool error',
    attack: async ({ session }) => outcomeOf(await session().send(callOf('traced', { 'X-Trace': value }))),
  })),
  ...wide.map((value) => sent('traced', { 'X-Trace': value })),
  ...[...breaks, ...wide, ...cookies].map((value) => sent('kept', { sid: value })),
  ...queries.map((value) => sent('search', { q: value })),
  ...queries.slice(0, -1).map((value) => sent('reserved', { q: value })),
];

/** Let through as one value: a request of one line, its own fields, and nothing behind. */
function sent(tool, args) {
  return {
    name: `${tool} ${JSON.stringify(args)}`,
    want: 'one value',
    reaches: { upstream: 1 },
    attack: async ({ session, upstream }) => {
      const outcome = outcomeOf(await session().send(callOf(tool, args)));
      if (outcome !== '200') return outcome;
      const [head, body] = upstream.requests.at(-1).split('\r\n\r\n');
      const [line, ...fields] = head.split('\r\n');
      const isWhole =
        /^GET \S+ HTTP\/1\.1$/.test(line) && body === '' && !/[\r\n\0]/.test(line + fields.join(''));
      const odd = fields.filter(
        (field) => !/^(host|accept|accept-encoding|user-agent|connection|cookie|x-trace):/i.test(field),
      );
      const pairs = line.split('?')[1]?.split(/[& ]/).length ?? 0;
      const crumbs = fields.filter((field) => /^cookie:/i.test(field) && /[;,]/.test(field.slice(7)));
      return isWhole && odd.length === 0 && pairs <= 2 && crumbs.length === 0 ? 'one value' : head;
    },
  };
}

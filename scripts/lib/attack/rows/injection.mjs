/**
 * Arguments that would write more than their place in a request to the API: it must read each as one value. Breaks and controls are not
 * among them, since Node's client refuses them in targets and headers whatever the runtime does.
 */
import { callOf, outcomeOf } from '../session.mjs';

export const family = 'injection';

const cookies = ['a; admin=1', 'a, admin=1', 'a=b; Path=/', '"a"; b'];
const queries = ['a&admin=1', 'a#b', 'a;b=c', 'a+b', '%26admin%3D1'];

export const rows = [
  ...cookies.map((sid) => row('kept', { sid }, ({ cookie }) => cookie, sid)),
  ...queries.map((q) => row('search', { q }, ({ query }) => query, q)),
  ...queries.slice(0, 2).map((q) => row('reserved', { q }, ({ query }) => query, q)),
];

/** @param {(sent: { cookie: string, query: string }) => string} partOf @param {string} value that the part must be read as */
function row(tool, args, partOf, value) {
  return {
    name: `${tool} ${JSON.stringify(args)}`,
    want: 'one value',
    reaches: { upstream: 1 },
    attack: async ({ session, upstream }) => {
      const outcome = outcomeOf(await session().send(callOf(tool, args)));
      if (outcome !== '200') return outcome;
      const head = upstream.requests.at(-1);
      const [, query = ''] = /^GET [^ ?]+\?(\S+) HTTP/.exec(head) ?? [];
      const [, cookie = ''] = /^cookie: (.*)\r$/im.exec(head) ?? [];
      const [, read] = /^\w+=([^&#;,]*)$/.exec(partOf({ query, cookie })) ?? [];
      const isRead = read !== undefined && decodeURIComponent(read.replaceAll('+', ' ')) === value;
      return isRead ? 'one value' : head;
    },
  };
}

/** Names that mean something to objects: none is found where nothing was put, and none reaches another object. */
import { outcomeOf } from '../session.mjs';

export const family = 'pollution';

const values = {
  prototype: '{"__proto__":{"polluted":1}}',
  constructor: '{"constructor":{"prototype":{"polluted":1}}}',
  nested: '{"to":{"__proto__":{"polluted":1}}}',
  list: '{"to":[{"__proto__":{"polluted":1}}]}',
  doubled: '{"__proto__":{"__proto__":{"polluted":1}},"to":1}',
  escaped: '{"\\u005f_proto__":{"polluted":1},"to":1}',
  setter: '{"__defineSetter__":1,"to":1}',
  own: '{"hasOwnProperty":1,"to":1}',
};
const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
];
const request = (method, params) =>
  `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`;
const call = (name, args) => request('tools/call', `{"name":${JSON.stringify(name)},"arguments":${args}}`);

/** @type {[name: string, message: string, want: string, reaches?: Record<string, number>][]} */
const table = [
  ...Object.entries(values).map(([what, args]) => [`arguments: ${what}`, call('count', args), 'tool error']),
  ...Object.entries(values).map(([what, args]) => [
    `arguments that anything may be: ${what}`,
    call('touch', args),
    '200',
    { handlers: 1 },
  ]),
  ...Object.entries(values).map(([what, args]) => [`a body: ${what}`, call('store', args), 'tool error']),
  ...names.map((name) => [`a tool called ${name}`, call(name, '{}'), '200 -32602']),
  ...names.map((name) => [`a method called ${name}`, request(name, '{}'), '200 -32601']),
  ...names.map((name) => [
    `a resource called ${name}`,
    request('resources/read', `{"uri":"${name}"}`),
    '200 -32002',
  ]),
  ...names.map((name) => [
    `a prompt called ${name}`,
    request('prompts/get', `{"name":"${name}"}`),
    '200 -32601',
  ]),
  ...names.map((name) => [
    `a level called ${name}`,
    request('logging/setLevel', `{"level":"${name}"}`),
    '200 -32602',
  ]),
  ...names.map((name) => [
    `a cursor called ${name}`,
    request('tools/list', `{"cursor":"${name}"}`),
    '200 -32602',
  ]),
  ['parameters', request('tools/call', '{"__proto__":{"name":"touch"}}'), '200 -32602'],
  ['parameters that are polluted', request('ping', '{"__proto__":{"polluted":1}}'), '200'],
  ['_meta', request('ping', '{"_meta":{"__proto__":{"polluted":1}}}'), '200'],
  [
    'a message',
    '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"touch"}}}',
    '400 -32600',
  ],
  ['an id', '{"jsonrpc":"2.0","id":"__proto__","method":"ping"}', '200'],
];

export const rows = table.map(([name, message, want, reaches]) => ({
  name,
  want,
  ...(reaches === undefined ? {} : { reaches }),
  attack: async ({ session }) => outcomeOf(await session().send(message)),
}));

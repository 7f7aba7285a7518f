/** An API that says the key back that it was sent, as its framework spells it: nothing that a client gets gives it away. */
import { openServer } from '../server.mjs';
import { callOf, textOf } from '../session.mjs';
import { inJson, inText, tells } from '../spellings.mjs';
import { openWitness } from '../witness.mjs';

export const family = 'secrets in answers';

/** A secret of characters that are escaped somewhere and allowed in a header: no line break. */
const SECRET = `k/ey+1&<2>"3\\4'5 é-😀_zZ9`;

/** The API's answers, by the name in the request. @type {Map<string, { type?: string, body: string | Buffer, head?: string, status?: string }>} */
const answers = new Map();

export async function open(folder) {
  const api = await openWitness(answerTo);
  const env = { API_BASE_URL: `${api.url}/v1`, BEARER_TOKEN_USER: SECRET };
  const server = await openServer(folder, { env });
  return {
    ...server,
    witness: async () => ({ ...(await server.witness()), api: api.requests.length }),
    close: async () => {
      await server.close();
      await api.close();
    },
  };
}

function answerTo(head) {
  // Sent as UTF-8, read as Latin-1, as the head of a request is.
  const isSent = head.includes(Buffer.from(SECRET).toString('latin1'));
  const {
    type = 'application/json',
    body,
    head: more = '',
    status = '200 OK',
  } = answers.get(current) ?? { body: '{}' };
  const bytes = Buffer.from(isSent ? body : '"the key was not sent"');
  const fields = `Content-Type: ${type}\r\n${more}Content-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${fields}`), bytes]);
}

/** Rows run one by one. */
let current = '';

/** @param {string} name @param {{ type?: string, body: string | Buffer, head?: string, status?: string }} answer @param {string} want */
function row(name, answer, want = 'redacted') {
  answers.set(name, answer);
  return {
    name,
    want,
    reaches: { api: 1 },
    attack: async ({ session }) => {
      current = name;
      const answer = await session().send(callOf('mine', {}));
      if (tells(answer.text, SECRET)) return '200, with the key';
      const shown = /\[redacted\]/.test(`${answer.text}${blobIn(answer.text)}`);
      return shown ? 'redacted' : `nothing was redacted: ${textOf(answer) ?? answer.text}`;
    },
  };
}

function blobIn(text) {
  return Buffer.from(/"(?:blob|data)":"([^"]*)"/.exec(text)?.[1] ?? '', 'base64').toString();
}

const inAll = (spell) => spell(SECRET);
const quoted = (text) => JSON.stringify(text);

export const rows = [
  ...Object.entries(inJson)
    .filter(([how]) => how !== 'as it is')
    .flatMap(([how, spell]) => [
      row(`a value of JSON, ${how}`, { body: `{"list":[{"id":7,"echo":"Bearer ${inAll(spell)}"}]}` }),
      row(`the name of a member, ${how}`, { body: `{"keys":{"${inAll(spell)}":true}}` }),
    ]),
  ...Object.entries(inText)
    .filter(([how]) => how !== 'in a form' && how !== 'in CDATA')
    .map(([how, spell]) => row(`a value of JSON, ${how}`, { body: `{"echo":${quoted(inAll(spell))}}` })),
  ...['in XML', 'in HTML by number', 'in HTML by hexadecimal number'].map((how) =>
    row(`an answer ${how}`, { type: 'application/xml', body: `<r a="1">${inText[how](SECRET)}</r>` }),
  ),
  ...['in HTML by number', 'in XML'].map((how) =>
    row(`a page of an error, ${how}`, {
      type: 'text/html',
      status: '500 Oops',
      body: `<p>${inText[how](SECRET)}</p>`,
    }),
  ),
  row('a text, in Base64 by lines', { type: 'text/plain', body: inText['in Base64 by lines'](SECRET) }),
  row('an answer in CSV', { type: 'text/csv', body: `a,b\n1,${inText['in CSV'](SECRET)}\n` }),
  ...['in a URL, in lower case', 'in a URL, every byte'].map((how) =>
    row(`a form, ${how}`, {
      type: 'application/x-www-form-urlencoded',
      body: `a=1&key=${inText[how](SECRET)}&b=2`,
    }),
  ),
  ...['as PHP escapes it', 'as ASP.NET escapes it', 'as Go escapes it', 'every character escaped'].flatMap(
    (how) => [
      row(`a line of JSON, ${how}`, {
        type: 'application/x-ndjson',
        body: `{"id":1}\n{"echo":"${inJson[how](SECRET)}"}\n`,
      }),
      row(`an event, ${how}`, {
        type: 'text/event-stream',
        body: `data: {"id":1}\n\nevent: e\ndata: {"echo":"${inJson[how](SECRET)}"}\n\n`,
      }),
      row(`a problem, ${how}`, {
        type: 'application/problem+json',
        status: '403 Forbidden',
        body: `{"title":"No","detail":"key ${inJson[how](SECRET)}"}`,
      }),
      row(`JSON that is broken off, ${how}`, { body: `{"echo":"${inJson[how](SECRET)}", "rest": ` }),
    ],
  ),
  ...['in a URL, in lower case', 'in a URL, every byte', 'in Base64 behind a user'].map((how) =>
    row(`a place that is told, ${how}`, {
      status: '201 Created',
      head: `Location: /made?key=${inText[how](SECRET)}\r\n`,
      body: '{}',
    }),
  ),
  row('bytes', {
    type: 'application/octet-stream',
    body: Buffer.concat([Buffer.from([0, 1, 2, 255]), Buffer.from(SECRET)]),
  }),
  row('an image', {
    type: 'image/png',
    body: Buffer.concat([Buffer.from([0x89, 0x50]), Buffer.from(SECRET), Buffer.from([0])]),
  }),
];

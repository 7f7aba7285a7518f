/**
 * A program that calls the API by `node:http` or `node:https` alone, over connections kept as an emitted server keeps them: what that
 * server is compared with. Each line of stdin names an operation and how many calls to make of it; each line of stdout
 * says how many ms they took.
 */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { createInterface } from 'node:readline';

import { operations } from './items.mjs';
import { authority } from './tls.mjs';

const { protocol, hostname, port } = new URL(process.argv[2]);
const inFlight = Number(process.argv[3]);
const { Agent, request } = protocol === 'https:' ? https : http;
const trusted = protocol === 'https:' ? { ca: readFileSync(authority) } : {};
const agent = new Agent({ keepAlive: true, timeout: 4_000, scheduling: 'lifo', ...trusted });

for await (const line of createInterface({ input: process.stdin })) {
  const { operation, calls } = JSON.parse(line);
  console.log(await run(operations[operation], calls));
}
agent.destroy();

async function run({ requestOf }, calls) {
  let made = 0;
  const work = async () => {
    while (made < calls) await callOnce(requestOf, ++made);
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, work));
  return performance.now() - start;
}

function callOnce(requestOf, id) {
  const { method, path, body } = requestOf(id);
  const headers = { Accept: 'application/json' };
  if (body !== undefined) {
    headers['Content-Type'] = 'application/json';
    headers['Content-Length'] = Buffer.byteLength(body);
  }
  return new Promise((resolve, reject) => {
    request({ hostname, port, method, path, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => {
        if (JSON.parse(text).id === id) resolve();
        else reject(new Error(`A wrong answer: ${text}`));
      });
    })
      .on('error', reject)
      .end(body);
  });
}

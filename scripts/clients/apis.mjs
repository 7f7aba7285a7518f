/** The APIs that the clients are given: a document, what answers in its place, and calls with what must come back. */
import { startLoopback } from '../../fixtures/upstreams/loopback.mjs';
import { startPetstore } from '../../fixtures/upstreams/petstore.mjs';

const petstoreCalls = [
  { tool: 'getPet', args: { petId: 1 }, wanted: { id: 1, name: 'Minka' }, words: 'Minka' },
  {
    tool: 'createPet',
    args: { name: 'Zoë', species: 'cat', tags: ['shy', 'indoor'] },
    wanted: { name: 'Zoë', species: 'cat', tags: ['shy', 'indoor'] },
    words: 'Zoë',
  },
];

const petstore = {
  name: 'petstore',
  document: 'fixtures/petstore.yaml',
  start: startPetstore,
  env: {},
  args: [],
  calls: petstoreCalls,
};

/** Lists come in pages of five: it shows which clients read the first alone. @type {Api} */
const petstoreInPages = { ...petstore, name: 'petstore, in pages', args: ['--page-size', '5'] };

function kubernetes(folder) {
  const at = { namespace: 'default' };
  const metadata = { name: 'settings', labels: { app: 'shop' } };
  const data = { colour: 'blue' };
  return {
    name: 'kubernetes',
    document: `${folder}/kubernetes.json`,
    start: () => startLoopback(answerAsKubernetes),
    env: { API_KEY_BEARERTOKEN: 'Bearer none' },
    args: [],
    calls: [
      {
        tool: 'readNamespacedConfigMap',
        args: { ...at, name: 'settings' },
        wanted: { kind: 'ConfigMap', metadata: { name: 'settings' } },
        words: 'read by path',
      },
      {
        tool: 'createNamespacedConfigMap',
        args: { ...at, apiVersion: 'v1', kind: 'ConfigMap', metadata, data },
        wanted: { kind: 'ConfigMap', metadata, data },
        words: 'blue',
      },
      {
        tool: 'deleteNamespacedConfigMap',
        args: { ...at, name: 'settings', preconditions: { uid: 'uid-7' } },
        wanted: { kind: 'Status', status: 'Success', details: { uid: 'uid-7' } },
        words: 'uid-7',
      },
    ],
  };
}

/** Answers with what it was sent, so that a lost argument shows. */
function answerAsKubernetes({ method, url, body }) {
  const name = url.pathname.split('/').at(-1);
  if (method === 'GET')
    return {
      json: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { note: 'read by path' } },
    };
  const sent = JSON.parse(body.toString('utf8') || '{}');
  if (method === 'POST') return { status: 201, json: sent };
  const details = { name, uid: sent.preconditions?.uid };
  return { json: { apiVersion: 'v1', kind: 'Status', status: 'Success', details } };
}

export function apis(corpus) {
  return [petstore, petstoreInPages, ...(corpus === undefined ? [] : [kubernetes(corpus)])];
}

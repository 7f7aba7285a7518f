/**
 * Fuzz targets. `inputs` is the number of a full run, `slice` that of the tests. Each target is given a function that
 * loads a module of this repository by its path without extension, and makes a property of fast-check.
 */
import { events } from './codecs.mjs';
import { documents } from './documents.mjs';
import { codecs } from './functions.mjs';
import { redirectHosts, serverTemplates } from './hosts.mjs';
import { jsonRpc } from './json-rpc.mjs';
import { locks, prose } from './repositories.mjs';
import { secrets } from './secrets.mjs';
import { patterns, uriTemplates, validator } from './values.mjs';

export const targets = [
  { name: 'json-rpc', inputs: 30_000, slice: 300, property: jsonRpc },
  { name: 'events', inputs: 250_000, slice: 1_500, property: events },
  { name: 'uri-templates', inputs: 250_000, slice: 1_000, property: uriTemplates },
  { name: 'validator', inputs: 250_000, slice: 1_000, property: validator },
  { name: 'patterns', inputs: 150_000, slice: 1_000, property: patterns },
  { name: 'redirect-hosts', inputs: 100_000, slice: 1_000, property: redirectHosts },
  { name: 'server-templates', inputs: 100_000, slice: 1_000, property: serverTemplates },
  { name: 'codecs', inputs: 100_000, slice: 1_000, property: codecs },
  { name: 'locks', inputs: 100_000, slice: 1_000, property: locks },
  { name: 'prose', inputs: 200_000, slice: 1_000, property: prose },
  { name: 'secrets', inputs: 60_000, slice: 500, property: secrets },
  { name: 'documents', inputs: 20_000, slice: 200, property: documents },
];

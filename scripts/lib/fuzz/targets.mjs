/**
 * Made-up inputs for what reads foreign bytes, `runs` of them in a test. Each target is given a function that loads a
 * module of this repository by its path without extension, and makes a property of fast-check.
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
  { name: 'json-rpc', runs: 300, property: jsonRpc },
  { name: 'events', runs: 1_500, property: events },
  { name: 'uri-templates', runs: 1_000, property: uriTemplates },
  { name: 'validator', runs: 1_000, property: validator },
  { name: 'patterns', runs: 1_000, property: patterns },
  { name: 'redirect-hosts', runs: 1_000, property: redirectHosts },
  { name: 'server-templates', runs: 1_000, property: serverTemplates },
  { name: 'codecs', runs: 1_000, property: codecs },
  { name: 'locks', runs: 1_000, property: locks },
  { name: 'prose', runs: 1_000, property: prose },
  { name: 'secrets', runs: 500, property: secrets },
  { name: 'documents', runs: 200, property: documents },
];

/** Servers that nobody here wrote, each with a document of its own. */
import { alertmanager } from './servers/alertmanager.mjs';
import { directus } from './servers/directus.mjs';
import { docker } from './servers/docker.mjs';
import { etcd } from './servers/etcd.mjs';
import { fileTransfer } from './servers/file-transfer.mjs';
import { opencode } from './servers/opencode.mjs';
import { powerdns } from './servers/powerdns.mjs';
import { todo } from './servers/todo.mjs';
import { unleash } from './servers/unleash.mjs';

/**
 * @typedef {object} Running a server that was started
 * @property {string} url its origin
 * @property {string} document its own, as the running server hands it out: a URL, or a file where not everybody is served
 * @property {Record<string, string>} [env] variables for the emitted server
 * @property {Record<string, string>} [headers] what it wants to see of who asks it
 * @property {() => Promise<void>} close
 *
 * @typedef {{ corpus?: string }} Settings `corpus`: a folder of documents, for servers that do not ship theirs
 *
 * @typedef {object} RealServer
 * @property {string} name chosen by `--only`
 * @property {string} program with its version
 * @property {(settings: Settings) => Promise<string | undefined>} install why it can't run here, or what installs it;
 *   undefined when it is there
 * @property {(folder: string, settings: Settings) => Promise<Running>} start in an empty folder
 * @property {Record<string, (hands: import('./drive.mjs').Hands) => Promise<void>>} steps what is done and asserted, in order
 */

/** @type {RealServer[]} */
export const servers = [
  todo,
  fileTransfer,
  opencode,
  etcd,
  powerdns,
  directus,
  unleash,
  alertmanager,
  docker,
];

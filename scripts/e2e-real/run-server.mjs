/** One server from its start to its end: compiled from its own document, driven, gone. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { mcpgen } from '../lib/run.mjs';
import { direct } from './direct.mjs';
import { drive } from './drive.mjs';
import { drivePeer } from './peer.mjs';

/**
 * @param {import('./servers.mjs').RealServer} server
 * @param {string} folder an empty one
 * @param {{ corpus?: string }} settings
 * @returns {Promise<import('./verdict.d.mts').Report>}
 */
export async function runServer({ name, program, install, start, steps }, folder, settings) {
  const report = { server: name, program, driven: [] };
  const notRun = await install(settings);
  if (notRun !== undefined) return { ...report, notRun };
  const began = performance.now();
  try {
    const driven = await startAndDrive((home) => start(home, settings), steps, folder);
    return { ...report, ...driven, ms: performance.now() - began };
  } catch (error) {
    return { ...report, broken: error instanceof Error ? error.message : String(error) };
  }
}

async function startAndDrive(start, steps, folder) {
  const home = path.join(folder, 'home');
  mkdirSync(home);
  const running = await start(home);
  try {
    const version = await versionOf(running.document);
    const project = path.join(folder, 'project');
    const { code, stderr } = await mcpgen(['openapi', running.document, '-o', project]);
    assert.equal(code, 0, stderr);
    const driven = await drive(project, running, steps);
    const peer = await drivePeer(path.join(folder, 'peer'), running, steps);
    return { version, tools: driven[0].tools, driven, peer };
  } finally {
    await running.close();
  }
}

/** `3.1.0`, from a document in JSON or YAML. */
async function versionOf(document) {
  const text = document.startsWith('http:') ? (await direct(document)).body : readFileSync(document);
  const [, version] = /\b(?:openapi|swagger)["']?\s*:\s*["']?([\d.]+)/.exec(text.toString()) ?? [];
  return version;
}

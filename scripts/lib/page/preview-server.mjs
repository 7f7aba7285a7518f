/** Starts and stops `mcpgen preview`. */
import { spawn } from 'node:child_process';

import { cli } from '../repository.mjs';

const ADDRESS = /http:\/\/(?:127\.0\.0\.1|localhost):\d+\/\S*token=\S+/;
const PATIENCE = 60_000;

/** `args`: of `mcpgen preview`. */
export async function startPreview(args, { cwd, env = {} }) {
  const child = spawn(process.execPath, [cli, 'preview', ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    const address = await readAddress(child);
    return { address, origin: new URL(address).origin, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function readAddress(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    const give = (error) => reject(new Error(`${error}\n${said.slice(-3000)}`));
    const timer = setTimeout(() => give('mcpgen preview printed no address.'), PATIENCE);
    const read = (chunk) => {
      said += chunk;
      const [address] = ADDRESS.exec(said) ?? [];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      give(`mcpgen preview ended with ${code}.`);
    });
  });
}

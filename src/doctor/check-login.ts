/** Whether a person has signed in to the API, until when and with which scopes: the server's own `whoami` says it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ownMember } from '../../templates/runtime/json-rpc.ts';
import type { UpstreamBinding } from '../model/bindings.ts';
import type { BuiltProject } from '../project/built-project.ts';
import { type Check, makeFailedCheck, makePassedCheck } from './check.ts';
import type { Environment } from './check-network.ts';

const TIMEOUT_MS = 30_000;
export const SIGN_IN = 'sign in: `node dist/main.js login` in the folder';

/** @param read what the server reads, of `.env` too. Returns undefined where nobody has to sign in */
export async function checkLogin(
  { program }: BuiltProject,
  apis: readonly UpstreamBinding[],
  read: Environment,
  { node, cwd, env }: { node: string; cwd: string; env: Environment },
): Promise<Check | undefined> {
  const isSet = (name: string): boolean => Boolean(ownMember(read, name));
  const schemes = apis.flatMap(({ securitySchemes }) => Object.values(securitySchemes));
  const isUsed = schemes.some(
    (scheme) =>
      scheme.type === 'oauth2' && scheme.login && isSet(scheme.env.clientId) && !isSet(scheme.env.token),
  );
  if (!isUsed) return undefined;
  const options = { cwd, env: { ...env }, timeout: TIMEOUT_MS };
  try {
    const { stdout } = await promisify(execFile)(node, [program, 'whoami'], options);
    return makePassedCheck('login', toLine(stdout));
  } catch (thrown) {
    const { stdout, stderr } = thrown as { stdout: string; stderr: string };
    const line = toLine(`${stdout}${stderr}`) || 'the server does not say who has signed in';
    return makeFailedCheck('login', line, SIGN_IN);
  }
}

const toLine = (text: string): string => text.trim().replaceAll('\n', ' ');

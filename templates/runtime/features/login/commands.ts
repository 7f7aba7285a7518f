// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** `login`, `logout` and `whoami`: a login that stays, beside the server that a client starts. */
import type { Command } from '../../feature.ts';
import { ownMember } from '../../json-rpc.ts';
import { describeThrown } from '../../results.ts';
import type { Server } from '../../server.ts';
import { type ApiBinding, type HttpBinding, ToolError } from '../../types.ts';
import type { Account } from './account.ts';
import type { Tokens } from './issuer.ts';

/** One of the logins of the server. */
export interface Login {
  name: string;
  account: Account;
  scopes: readonly string[];
}

/** @param open lists the logins whose clients are set. @throws {UsageError} if there is none */
export function makeCommands(open: (server: Server) => Login[]): Record<string, Command> {
  const each =
    (run: (login: Login, use: Parameters<Command['run']>[1]) => Promise<void>): Command['run'] =>
    async (server, use) => {
      const failures: string[] = [];
      for (const login of open(server))
        await run(login, use).catch((thrown: unknown) => {
          failures.push(`${login.name}: ${describeThrown(thrown)}`);
        });
      if (failures.length > 0) throw new ToolError(failures.join('\n'));
    };
  return {
    login: {
      help: 'Sign in to the API, and keep the login.',
      run: each(async ({ name, account, scopes }, { write, stop }) => {
        const pending = await account.signIn(scopes);
        write(`${name}: open ${pending.url} in a browser on this machine${pending.enter}.\n`);
        void stop.then(() => pending.close());
        const tokens = await pending.tokens.catch((thrown: unknown) => {
          throw new ToolError(`${describeThrown(thrown)} Run \`login\` again.`);
        });
        write(`${name}: ${describeTokens(tokens)}.\n`);
      }),
    },
    logout: {
      help: 'Forget the login, and revoke its tokens.',
      run: each(async ({ name, account }, { write }) => {
        const reason = await account.signOut();
        if (reason !== undefined) throw new ToolError(`forgotten here, but not revoked: ${reason}`);
        write(`${name}: signed out.\n`);
      }),
    },
    whoami: {
      help: 'Show until when the login lasts, and its scopes.',
      run: each(async ({ name, account }, { write }) => {
        write(`${name}: ${describeTokens(await account.current())}.\n`);
      }),
    },
  };
}

/** @throws {ToolError} if nobody is signed in */
function describeTokens(tokens: Tokens | undefined): string {
  if (tokens === undefined) throw new ToolError('not signed in.');
  const { refresh, granted } = tokens;
  const until = new Date(tokens.until).toISOString();
  if (refresh === undefined && tokens.until < Date.now())
    throw new ToolError(`not signed in: the login ended at ${until}.`);
  const renewal = refresh === undefined ? '' : ', renewed when needed';
  return `signed in until ${until}${renewal}; scopes: ${granted.join(', ') || 'none'}`;
}

/** Those of all operations of an API that use the scheme. */
export function scopesOfServer({ bindings }: Server, scheme: string, api: ApiBinding): string[] {
  const items = [...Object.values(bindings.tools), ...Object.values(bindings.resources)];
  const demands = items.flatMap(({ do: work }) =>
    work['api'] === api.name ? ((work as HttpBinding).security ?? api.security ?? []) : [],
  );
  return [...new Set(demands.flatMap((requirement) => ownMember(requirement, scheme) ?? []))];
}

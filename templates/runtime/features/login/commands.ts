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

type Run = (login: Login, use: Parameters<Command['run']>[1]) => Promise<string>;

/** @param open lists the logins whose clients are set. @throws {UsageError} if there is none */
export function makeCommands(open: (server: Server) => Login[]): Record<string, Command> {
  const make = (help: string, run: Run): Command => ({
    help,
    run: async (server, use) => {
      const failures: string[] = [];
      for (const login of open(server))
        await run(login, use).then(
          (text) => use.write(`${login.name}: ${text}.\n`),
          (thrown: unknown) => failures.push(`${login.name}: ${describeThrown(thrown)}`),
        );
      if (failures.length > 0) throw new ToolError(failures.join('\n'));
    },
  });
  return {
    login: make('Sign in to the API, and keep the login.', async (login, { write, stop }) => {
      const { url, how, tokens, close } = await login.account.signIn(login.scopes);
      write(`${login.name}: open ${url} ${how}.\n`);
      void stop.then(close);
      const result = await tokens.catch((thrown: unknown) => {
        throw new ToolError(`${describeThrown(thrown)} Run \`login\` again.`);
      });
      return describeTokens(result);
    }),
    logout: make('Forget the login, and revoke its tokens.', async ({ account }) => {
      await account.signOut();
      return 'signed out';
    }),
    whoami: make('Show until when the login lasts, and its scopes.', async ({ account }) =>
      describeTokens(await account.store.read()),
    ),
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

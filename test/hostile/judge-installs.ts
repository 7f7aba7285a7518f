/** What the project offers to install, beside names: links for editors, and services for Docker Compose. */
import { isDeepStrictEqual } from 'node:util';
import { load } from 'js-yaml';

const NAME = /^[a-z0-9][a-z0-9._-]{0,213}$/;
const VARIABLE = /^[A-Z][A-Z0-9_]*$/;
/** Servers that share state set these. */
const FIXED = /^MCP_(?:STATE_SECRET|REDIS_URL|NODES|TRUSTED_PROXIES)=/;

/** An install link without the names in it, or `undefined` when this is another link. Complains when it installs anything else. */
export function installIn(url: string, wrong: string[]): string | undefined {
  const editor = /^(?:vscode:|https:\/\/insiders\.vscode\.dev\/)/.test(url)
    ? 'vscode'
    : /^(?:cursor:|https:\/\/cursor\.com\/)/.test(url)
      ? 'cursor'
      : undefined;
  if (editor === undefined) return undefined;
  const server = editor === 'vscode' ? vscodeServer(url) : cursorServer(url);
  if (!isNpx(server)) wrong.push(`${url} installs ${JSON.stringify(server)}`);
  return `install for ${editor} by ${new URL(url).protocol}`;
}

function vscodeServer(url: string): unknown {
  const direct = url.startsWith('vscode:') ? url : (new URL(url).searchParams.get('url') ?? '');
  return JSON.parse(decodeURIComponent(direct.replace(/^vscode:mcp\/install\?/, '')));
}

function cursorServer(url: string): unknown {
  const { searchParams } = new URL(url);
  const config: unknown = JSON.parse(Buffer.from(searchParams.get('config') ?? '', 'base64').toString());
  return { name: searchParams.get('name'), ...(config as object) };
}

function isNpx(server: unknown): boolean {
  const { name, command, args, env = {}, inputs = [], ...rest } = server as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    NAME.test(name) &&
    command === 'npx' &&
    isDeepStrictEqual(args, ['-y', name]) &&
    Object.keys(env as object).every((each) => VARIABLE.test(each)) &&
    (inputs as { id: string }[]).every(({ id }) => VARIABLE.test(id)) &&
    Object.keys(rest).length === 0
  );
}

/** The services without the names in them. One server alone is called as its image is. */
export function composeIn(contents: string, wrong: string[]): unknown {
  const { services = {}, ...rest } = load(contents) as { services?: Record<string, Service> };
  const isBalanced = Object.hasOwn(services, 'balancer');
  return {
    ...rest,
    services: Object.entries(services).map(([name, { image, environment = [], ...service }]) => {
      const isOwn = service.build !== undefined;
      if (!NAME.test(name) || (isOwn && !isBalanced && image !== name))
        wrong.push(`a service ${name} of ${String(image)}`);
      if (isOwn && !NAME.test(String(image))) wrong.push(`the image ${String(image)}`);
      const fixed = environment.filter((each) => !VARIABLE.test(each));
      for (const each of fixed) if (!isOwn || !FIXED.test(each)) wrong.push(`a variable ${each}`);
      return isOwn ? { ...service, fixed } : { ...service, image, fixed };
    }),
  };
}

interface Service {
  build?: unknown;
  image?: unknown;
  environment?: string[];
}

/** Adds the server to clients: configuration files, commands and install links. */
import { listApiVariables } from '../api-variables.ts';
import type { ServerModel } from '../../model/server-model.ts';
import { type NeededVariable, listNeededVariables } from '../needed-variables.ts';
import type { ClientsView } from './project-views.ts';

interface Command {
  command: string;
  args: string[];
}

/** `packageName` is its name on npm. */
export function makeClientsView(model: ServerModel, packageName = model.name): ClientsView {
  const environment = listNeededVariables(model);
  const local = { command: 'node', args: ['/path/to/this/folder/dist/main.js'] };
  const published = { command: 'npx', args: ['-y', packageName] };
  return {
    mcpServers: { mcpServers: { [model.name]: { ...local, ...makeEnvWithPlaceholders(environment) } } },
    links: makeLinks(model, environment, published),
    environment,
  };
}

function makeEnvWithPlaceholders(environment: NeededVariable[]): { env?: Record<string, string> } {
  if (environment.length === 0) return {};
  return { env: Object.fromEntries(environment.map(({ name, placeholder }) => [name, placeholder])) };
}

/** VS Code asks for values itself, and keeps those of a password out of its files. */
function envWithInputs(environment: NeededVariable[]): { env?: Record<string, string> } {
  if (environment.length === 0) return {};
  return { env: Object.fromEntries(environment.map(({ name }) => [name, `\${input:${name}}`])) };
}

function makeInputs(model: ServerModel, environment: NeededVariable[]): { inputs?: object[] } {
  if (environment.length === 0) return {};
  const secrets = new Set(listApiVariables(model).flatMap(({ name, secret }) => (secret ? [name] : [])));
  return {
    inputs: environment.map(({ name }) => ({
      type: 'promptString',
      id: name,
      description: name,
      password: secrets.has(name),
    })),
  };
}

/** Install links in the form that each client documents; a web page forwards where Markdown allows only https. */
function makeLinks(
  model: ServerModel,
  environment: NeededVariable[],
  command: Command,
): ClientsView['links'] {
  const ofCode = {
    name: model.name,
    ...command,
    ...envWithInputs(environment),
    ...makeInputs(model, environment),
  };
  const vscode = `vscode:mcp/install?${percentEncodeForLink(JSON.stringify(ofCode))}`;
  const config = Buffer.from(
    JSON.stringify({ ...command, ...makeEnvWithPlaceholders(environment) }),
  ).toString('base64');
  const query = `name=${percentEncodeForLink(model.name)}&config=${percentEncodeForLink(config)}`;
  return {
    vscodePage: `https://insiders.vscode.dev/redirect?url=${percentEncodeForLink(vscode)}`,
    cursorPage: `https://cursor.com/en/install-mcp?${query}`,
  };
}

/** Also escapes characters that `encodeURIComponent` leaves and that would end a link in Markdown. */
function percentEncodeForLink(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

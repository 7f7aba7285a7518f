import type { EnvironmentVariable } from '../environment-variable.ts';
import type { ServerModel } from '../../model/server-model.ts';
import type { Person, Published } from '../../model/published.ts';
import { collectListedTools } from '../../derive/listing-cost.ts';
import type { EmitOptions } from '../emit-options.ts';
import { stripMarkdown } from '../../model/clean-prose.ts';
import { shortenToLine } from '../prose.ts';
import { packageVersion, registryName } from '../package-identity.ts';
import { omitUndefined } from '../../util/collections.ts';
import { chooseNodeEngine } from '../versions.ts';
import type { ManifestView, NamedValue, RegistryVariable, RegistryView } from './publishing-views.ts';

/** The MCP registry allows so many characters for a title and a description. */
const registryLimit = 100;

export function makeRegistryView(
  model: ServerModel,
  variables: EnvironmentVariable[],
  options: EmitOptions,
): RegistryView {
  const { published = {}, hostedUrl } = options;
  return {
    name: registryName(model, options),
    title: shortenToLine(model.title, registryLimit),
    description: shortDescription(model, published, registryLimit),
    version: packageVersion(model.version),
    about: listNamedValues(pickPackageLinks(published)),
    package: published.name ?? model.name,
    environmentVariables: variables.map(registryVariable),
    remotes: hostedUrl === undefined ? [] : [{ type: 'streamable-http', url: hostedUrl }],
  };
}

function pickPackageLinks({ homepage, repository }: Published): {
  websiteUrl?: string;
  repository?: { url: string; source: string };
} {
  const source = /^https:\/\/(github|gitlab)\.com\//.exec(repository ?? '')?.[1];
  return omitUndefined({
    websiteUrl: homepage,
    repository: repository === undefined || source === undefined ? undefined : { url: repository, source },
  });
}

function listNamedValues(all: Record<string, unknown>): NamedValue[] {
  return Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

function registryVariable(variable: EnvironmentVariable): RegistryVariable {
  const { name, description, required, secret, default: value } = variable;
  return {
    name,
    description,
    isRequired: required,
    isSecret: secret,
    format: 'string',
    ...omitUndefined({ default: value }),
  };
}

/** A bundle must name an author, and no source says who makes a server of it. */
const NOBODY: Person = { name: 'Unknown' };

/** Rows of a table of tools or resources. More would be megabytes that nobody reads. */
export const MOST_ROWS = 100;

export function makeManifestView(
  model: ServerModel,
  variables: EnvironmentVariable[],
  { app, published = {} }: EmitOptions,
): ManifestView {
  const { author = NOBODY, license, homepage, repository } = published;
  const tools = collectListedTools(model);
  return {
    name: published.name ?? model.name,
    title: model.title,
    version: packageVersion(model.version),
    description: shortDescription(model, published, 500),
    about: listNamedValues({
      author,
      license,
      homepage,
      repository: repository === undefined ? undefined : { type: 'git', url: repository },
    }),
    node: chooseNodeEngine(app),
    hasMoreTools: tools.length > MOST_ROWS,
    tools: tools.slice(0, MOST_ROWS).map(({ name, title, description }) => ({
      name,
      description: shortenToLine(
        title ?? (description === undefined ? name : stripMarkdown(description)),
        registryLimit,
      ),
    })),
    environment: Object.fromEntries(
      variables.map(({ name }) => [name, `\${user_config.${name.toLowerCase()}}`]),
    ),
    settings: Object.fromEntries(
      variables.map((variable) => [
        variable.name.toLowerCase(),
        {
          type: 'string',
          title: variable.name,
          description: variable.description,
          sensitive: variable.secret,
          required: variable.required,
          ...(variable.required ? {} : { default: variable.default ?? '' }),
        },
      ]),
    ),
  };
}

function shortDescription({ description, title }: ServerModel, published: Published, limit: number): string {
  if (published.description !== undefined) return shortenToLine(stripMarkdown(published.description), limit);
  return shortenToLine(description === '' ? `MCP server for ${title}` : stripMarkdown(description), limit);
}

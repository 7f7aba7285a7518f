import type { EnvironmentVariable } from '../../../templates/runtime/main/environment-variable.ts';
import type { ServerModel } from '../../model/server-model.ts';
import { shorten } from '../one-line.ts';
import { plainText } from '../plain-text.ts';
import { packageVersion } from '../package-version.ts';
import { nodeEngine } from '../versions.ts';
import type { ManifestSetting, ManifestView, RegistryVariable, RegistryView } from './project-views.ts';

/** What the MCP registry allows for a title and a description. */
const registryLimit = 100;

/** A placeholder namespace: only its owner can publish under one (`io.github.<account>`). */
export function registryName({ name }: ServerModel): string {
  return `io.github.owner/${name.split('/').at(-1) ?? name}`;
}

export function viewRegistry(model: ServerModel, variables: EnvironmentVariable[]): RegistryView {
  return {
    name: registryName(model),
    title: shorten(model.title, registryLimit),
    description: describe(model, registryLimit),
    version: packageVersion(model.version),
    package: model.name,
    environmentVariables: variables.map(registryVariable),
  };
}

function registryVariable(variable: EnvironmentVariable): RegistryVariable {
  const { name, description, required, secret, default: value } = variable;
  return {
    name,
    description,
    isRequired: required,
    isSecret: secret,
    format: 'string',
    ...(value === undefined ? {} : { default: value }),
  };
}

export function viewManifest(model: ServerModel, variables: EnvironmentVariable[]): ManifestView {
  return {
    name: model.name,
    title: model.title,
    version: packageVersion(model.version),
    description: describe(model, 500),
    node: nodeEngine,
    tools: model.tools.map(({ name, title, description }) => ({
      name,
      description: shorten(
        title ?? (description === undefined ? name : plainText(description)),
        registryLimit,
      ),
    })),
    environment: Object.fromEntries(
      variables.map(({ name }) => [name, `\${user_config.${name.toLowerCase()}}`]),
    ),
    settings: Object.fromEntries(
      variables.map((variable) => [variable.name.toLowerCase(), setting(variable)]),
    ),
  };
}

function setting({
  name,
  description,
  secret,
  required,
  default: value,
}: EnvironmentVariable): ManifestSetting {
  return {
    type: 'string',
    title: name,
    description,
    sensitive: secret,
    required,
    ...(required ? {} : { default: value ?? '' }),
  };
}

function describe({ description, title }: ServerModel, limit: number): string {
  return shorten(description === '' ? `MCP server for ${title}` : plainText(description), limit);
}

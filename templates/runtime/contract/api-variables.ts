// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Flags and variables of the feature `api`. */
import {
  type Feature,
  LIMIT_VARIABLES,
  defaultUpstreamLimits,
  plainVariable,
  secretVariable,
} from './feature.ts';
import { limitVariables } from './limit-variables.ts';

export const API_FLAGS: NonNullable<Feature['flags']> = {
  'base-url': {
    value: 'url',
    example: 'https://api.example.com/v1',
    help: 'Base URL of the API. Default: $API_BASE_URL, else the built-in one',
  },
  'pass-header': {
    value: 'name',
    example: 'X-Tenant',
    help: 'Send this header of HTTP requests on to the API; with --transport http. Default: $MCP_PASS_HEADERS',
    repeatable: true,
    with: 'http',
  },
};

export const API_VARIABLES: NonNullable<Feature['variables']> = [
  {
    ...plainVariable(
      'MCP_PASS_HEADERS',
      'Headers of HTTP requests that are sent on to the API, separated by commas, such as X-Tenant; --pass-header wins.',
    ),
    with: 'http',
  },
  secretVariable(
    'API_HEADERS',
    'Headers of every request to the API, as lines "Name: value" or a JSON object. Of several APIs: API_HEADERS_<NAME>.',
  ),
  plainVariable(
    'NODE_EXTRA_CA_CERTS',
    'File of certificates (PEM) of further trusted authorities. From the environment alone.',
  ),
  ...limitVariables(LIMIT_VARIABLES, defaultUpstreamLimits),
];

/** URI templates (RFC 6570): expansion of all four levels, and matching, its inverse. */
export { expandUriTemplate } from './uri-template.ts';
export { matchUriTemplate } from './match.ts';
export { parseUriTemplate } from './uri-template.ts';
export { type Expression, type Literal, type UriTemplate, UriTemplateError } from './uri-template.ts';

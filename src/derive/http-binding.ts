/** Binds a call to one HTTP request: the place, name and style of each argument. */
import type { HttpBinding, ResultBinding } from '../model/bindings.ts';
import { isReported } from '../util/http-syntax.ts';
import { USEFUL_HEADERS } from '../../templates/runtime/request.ts';
import type { Operation } from '../model/source-model.ts';
import type { ToolArguments } from './arguments/arguments.ts';
import { listSuccessMediaTypes } from './body/success-response.ts';
import { omitUndefined, pickMembers } from '../util/collections.ts';

/** Binds a parameter. Members that are the defaults of its location are left out. */
const SENT = [
  ...(['name', 'in', 'style', 'explode', 'mediaType', 'encoding', 'separator'] as const),
  ...(['allowReserved', 'allowEmptyValue'] as const),
];

export type CallRules = Pick<HttpBinding, 'headers' | 'timeoutMs' | 'confirm'>;

interface PreparedCall {
  operation: Operation;
  name: string;
  args: ToolArguments;
  ifSet: string[] | undefined;
  hasConditions: boolean;
  calling: CallRules;
}

/** `If-Match` and its like (RFC 9110, section 13.1). */
export function takesConditions({ parameters }: Operation): boolean {
  return parameters.some(
    ({ in: place, name }) =>
      place === 'header' && /^if-(?:none-)?match$|^if-(?:un)?modified-since$/i.test(name),
  );
}

export function deriveHttpBinding(
  { operation, name, args, ifSet, hasConditions, calling }: PreparedCall,
  wrapped: boolean,
): HttpBinding {
  const { method, path, operationId, servers, security } = operation;
  const result = bindResult(operation, wrapped, hasConditions);
  const constants = args.list.flatMap((argument) =>
    argument.constant === undefined ? [] : [[argument.argument, argument.constant] as const],
  );
  return {
    kind: 'http',
    method,
    path,
    ...(operationId !== name && omitUndefined({ operationId })),
    parameters: args.list.flatMap(({ argument, parameter }) =>
      parameter === undefined ? [] : { argument, ...pickMembers(parameter, SENT) },
    ),
    ...(constants.length > 0 && { known: Object.fromEntries(constants) }),
    ...calling,
    ...omitUndefined({ body: args.body, result, servers, security, ifSet }),
  };
}

function bindResult(
  operation: Operation,
  wrapped: boolean,
  hasConditions: boolean,
): ResultBinding | undefined {
  const accept = listSuccessMediaTypes(operation);
  const headers = declaredHeaders(operation);
  if (accept.length === 0 && !wrapped && headers === undefined && !hasConditions) return undefined;
  return {
    ...(accept.length === 0 ? {} : { accept }),
    ...(wrapped ? { wrapped } : {}),
    ...(hasConditions ? { showsVersion: true } : {}),
    ...omitUndefined({ headers }),
  };
}

/** Lists, by status, headers that results show only because the document declares them. */
function declaredHeaders({ method, responses }: Operation): ResultBinding['headers'] {
  // A result of HEAD shows all headers.
  if (method === 'HEAD') return undefined;
  const declared = responses.flatMap(({ status, headers = [] }): [string, string[]][] => {
    const names = headers
      .map(({ name }) => name)
      .filter((name) => isReported(name) && !USEFUL_HEADERS.test(name));
    return names.length === 0 ? [] : [[status, names]];
  });
  return declared.length === 0 ? undefined : Object.fromEntries(declared);
}

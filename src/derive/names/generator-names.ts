/**
 * Names of operations as the authors of the code wrote them. Generators of documents add a class, the path, the method or a number,
 * which only make a tool's name longer.
 */
import type { Operation } from '../../model/source-model.ts';

export interface AuthorsName {
  name: string;
  /** Without the class, other operations may have the name too; then the whole operationId is better. */
  isIfUnique?: boolean;
}

type NamedOperation = Operation & { operationId: string };

/** One row for each generator, in the order in which they are tried. */
const GENERATORS: readonly ((operation: NamedOperation) => AuthorsName | undefined)[] = [
  readFastApi,
  // NestJS: UsersController_findAll, with a number if the method has several paths.
  ({ operationId }) => {
    const [, name, method] = /^([A-Z]\w*?)Controller[_.](\w+)(?:\[\d\])?$/.exec(operationId) ?? [];
    return name && method ? { name: `${lowerFirst(name)}_${method}` } : undefined;
  },
  // springdoc numbers the methods of one name: findAll_1.
  ({ operationId }) => {
    const name = /^([a-z][A-Za-z]*)_\d{1,3}$/.exec(operationId)?.[1];
    return name === undefined ? undefined : { name };
  },
  // grpc-gateway: UserService_ListUsers. Connect: acme.users.v1.UserService.ListUsers.
  ({ operationId }) => {
    const name = /^(?:[a-z]\w*\.)*[A-Z]\w*Service[_.]([A-Z]\w*)$/.exec(operationId)?.[1];
    return name === undefined ? undefined : { name, isIfUnique: true };
  },
  // NSwag: Users_GetUsers, where the class says nothing new.
  ({ operationId }) => {
    const [, holder = '', name] = /^([A-Z][A-Za-z]+)_([A-Z]\w*)$/.exec(operationId) ?? [];
    const isRepeated = name?.toLowerCase().includes(holder.replace(/s$/, '').toLowerCase());
    return name && isRepeated ? { name, isIfUnique: true } : undefined;
  },
  readSentence,
];

/** Undefined for an operationId that no generator has made. */
export function readAuthorsName(operation: Operation): AuthorsName | undefined {
  const { operationId } = operation;
  if (operationId === undefined) return undefined;
  for (const read of GENERATORS) {
    const name = read({ ...operation, operationId });
    if (name !== undefined) return name;
  }
  return undefined;
}

/**
 * FastAPI's `generate_unique_id`: function, path and method, `\W` as `_`; the summary is the function's name in words. A server may
 * show another path than the function's (`/v1` is part of its address), so the summary decides there.
 */
function readFastApi({ operationId, method, path, summary = '' }: NamedOperation): AuthorsName | undefined {
  const ending = `_${method.toLowerCase()}`;
  if (!operationId.endsWith(ending)) return undefined;
  const rest = operationId.slice(0, -ending.length);
  const pathText = path.replace(/\W/g, '_');
  const summaryText = summary.trim().toLowerCase().replace(/\W+/g, '_');
  if (summaryText.includes('_') && rest.startsWith(`${summaryText}_`) && rest.endsWith(pathText))
    return { name: summaryText };
  if (!rest.endsWith(pathText)) return undefined;
  const name = rest.slice(0, -pathText.length).replace(/(?:_(?:api|v\d+))+$/, '');
  // `read` of `/items` would say too little, `health` of `/health` is said twice.
  const pathName = pathText.replace(/_+/g, '_').replace(/^_|_$/g, '');
  if (pathName.split('_').includes(name)) return { name: pathName };
  return { name: name.includes('_') ? name : rest.replace(/_+$/, '') };
}

const ARTICLES = new Set(['a', 'an', 'the']);

/** "List a Tag's Values" → `list_tag_values`. */
function readSentence({ operationId }: NamedOperation): AuthorsName | undefined {
  if (
    !/^\p{Script=Latin}[\p{Script=Latin}\d'’,:-]*(?: [\p{Script=Latin}\d'’,()&:;!?-]+)+\.?$/u.test(
      operationId,
    )
  )
    return undefined;
  const texts = operationId
    .replace(/['’]s\b/g, '')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '' && !ARTICLES.has(word));
  return texts.length < 2 ? undefined : { name: texts.join('_') };
}

function lowerFirst(text: string): string {
  // `APIKeys` begins with an abbreviation, which stays.
  return /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

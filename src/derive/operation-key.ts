import type { Operation } from '../model/source-model.ts';

/** Identifies an operation independently of its name and its place in the document: `GET /pets/{petId}`. */
export function operationKey({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

import type { Operation } from '../model/source-model.ts';

/** What identifies an operation whatever it is called and wherever it stands: `GET /pets/{petId}`. */
export function operationKey({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

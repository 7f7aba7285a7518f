/** Finds imports of modules that only other runtimes can load. */
import { ts } from 'ts-morph';

import type { ParametersOf } from '../../../diagnostics/registry.ts';
import { type ModuleSpecifier, moduleSpecifiers } from './module-specifiers.ts';
import { importsOnlyTypes } from './type-erasure.ts';

/** `npm:zod@3` */
const FOREIGN = /^(?!node:|data:|file:)([a-z][a-z\d+.-]*):(.*)$/i;

/** Finds a foreign module, unless a function imports it later, perhaps for such a runtime alone. */
export function findForeignModule(
  { literal, owner, isType }: ModuleSpecifier,
  checker: ts.TypeChecker,
): ParametersOf<'module-not-of-node'> | undefined {
  const [specifier, scheme = '', rest = ''] = FOREIGN.exec(literal.text) ?? [];
  if (specifier === undefined || isType || importsOnlyTypes(owner, checker)) return undefined;
  if (ts.isCallExpression(owner) && ts.findAncestor(owner, ts.isFunctionLike) !== undefined) return undefined;
  const [name] = /^(?:@[^/]+\/)?[^/@]+/.exec(rest.replace(/^\//, '')) ?? [''];
  const isPackage = scheme === 'npm' || scheme === 'jsr';
  const instead = isPackage ? `\`${name}\`` : specifier === 'bun:sqlite' ? '`node:sqlite`' : '';
  return { specifier, instead };
}

/** Finds the foreign module that TypeScript does not find. */
export function findForeignModuleOfError(
  { file, start }: ts.Diagnostic,
  checker: ts.TypeChecker,
): ParametersOf<'module-not-of-node'> | undefined {
  const specifier = file && moduleSpecifiers(file).find(({ literal }) => literal.getStart() === start);
  return specifier && findForeignModule(specifier, checker);
}

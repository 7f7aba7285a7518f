/**
 * Every use of TypeScript that its declarations do not name (docs/adr/0098-which-typescript-reads.md). No other module casts for
 * one, and test/frontends/typescript/compiler-internals.test.ts pins each.
 */
import type { ts } from 'ts-morph';

/** Replaces type parameters. A mapper is the checker's own, or `mapperFrom`. */
export function instantiate(type: ts.Type, mapper: object, checker: ts.TypeChecker): ts.Type {
  // The checker has no public substitution, but computes the return type of each call of a generic function. So this asks for the
  // return type of a signature which returns the type.
  const instance = { target: { resolvedReturnType: type }, mapper };
  return checker.getReturnTypeOfSignature(instance as unknown as ts.Signature);
}

export function mapperFrom(func: (parameter: ts.Type) => ts.Type): object {
  // A function is the fourth kind of mapper that the checker knows.
  return { kind: 3, func };
}

/**
 * Returns the mapper with which the checker made a type. It holds the type arguments, also those of aliases, which the checker
 * forgets.
 */
export function mapperOf({ mapper }: ts.Type & { mapper?: object }): object | undefined {
  return mapper;
}

/** Returns the type of a mapped type's keys, once its members were asked for. */
export function keysOfMapped({
  constraintType,
}: ts.Type & { constraintType?: ts.Type }): ts.Type | undefined {
  return constraintType;
}

/** Returns the union as it was composed of named ones. */
export function originOf({ origin }: ts.UnionType & { origin?: ts.Type }): ts.Type | undefined {
  return origin;
}

/** Whether an `any` stands for a type that was not found. */
export function isUnresolved({ intrinsicName }: ts.Type & { intrinsicName?: string }): boolean {
  return intrinsicName === 'error';
}

/** All comments before a node: the public API returns the last only, and a `@typedef` often stands before it. */
export function jsDocOf({ jsDoc = [] }: ts.Node & { jsDoc?: readonly ts.JSDoc[] }): readonly ts.JSDoc[] {
  return jsDoc;
}

/** A builder program checks a file again only if its version has changed. */
export function setVersion(file: ts.SourceFile, version: string): ts.SourceFile {
  return Object.assign(file, { version });
}

interface ConfigPlace {
  configFilePath: string | undefined;
  /** The folder to which `paths` are relative. */
  pathsBasePath: string | undefined;
}

export function configPlaceOf({ configFilePath, pathsBasePath }: ts.CompilerOptions): ConfigPlace {
  const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return { configFilePath: asText(configFilePath), pathsBasePath: asText(pathsBasePath) };
}

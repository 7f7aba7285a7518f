/** The file of a package that Node loads for an import: another one than that which TypeScript reads the types of. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ts } from 'ts-morph';
import { readManifest } from './dependencies.ts';

/** As Node resolves an `import`: by the conditions of package.json that it knows, to a file, without an ending to guess. */
const AS_NODE: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  customConditions: ['node-addons', 'module-sync'],
  allowJs: true,
  resolveJsonModule: true,
  noDtsResolution: true,
};

/** Undefined where Node finds nothing. */
export function packageModule(literal: ts.StringLiteralLike): string | undefined {
  const { fileName } = literal.getSourceFile();
  const mode = ts.ModuleKind.ESNext;
  return ts.resolveModuleName(literal.text, fileName, AS_NODE, ts.sys, undefined, undefined, mode)
    .resolvedModule?.resolvedFileName;
}

/** Whether the package itself is there, which its types alone do not say. */
export function isInstalled(name: string, folder: string): boolean {
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return true;
  const parent = dirname(folder);
  return parent !== folder && isInstalled(name, parent);
}

/** Whether Node may take a file for a CommonJS module: its text decides where neither its name nor its package does. */
export function mayBeCommon(file: string): boolean {
  if (!file.endsWith('.js')) return file.endsWith('.cjs');
  return packageType(dirname(file)) !== 'module';
}

function packageType(folder: string): unknown {
  const manifest = readManifest(folder);
  const parent = dirname(folder);
  return manifest !== undefined || parent === folder ? manifest?.['type'] : packageType(parent);
}

/**
 * Type-checks many emitted projects in one program. Their runtime is the same bytes, so it is checked once: a project
 * whose runtime and tsconfig equal the first one's takes the first one's runtime modules, and only its own files are
 * checked anew. A project that differs becomes the first of its kind.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import ts from 'typescript';

import { inRepository } from '../repository.mjs';

/** `projects`: folders; returns the errors of each project. */
export function typecheckProjects(projects) {
  const kinds = new Map();
  for (const project of projects) {
    const key = fingerprint(project);
    kinds.set(key, [...(kinds.get(key) ?? []), project]);
  }
  return new Map([...kinds.values()].flatMap(checkKind));
}

/** Projects with equal fingerprints can share a runtime. */
function fingerprint(project) {
  const hash = createHash('sha256').update(readFileSync(path.join(project, 'tsconfig.json')));
  const runtime = path.join(project, 'src/runtime');
  for (const file of readdirSync(runtime, { recursive: true }).toSorted()) {
    if (file.endsWith('.ts')) hash.update(`\0${file}\0`).update(readFileSync(path.join(runtime, file)));
  }
  return hash.digest('hex');
}

function checkKind(projects) {
  const [first] = projects;
  const { options } = configOf(first);
  const files = projects.flatMap((project) =>
    configOf(project).fileNames.filter((file) => project === first || !isRuntime(project, file)),
  );
  const program = ts.createProgram(files, options, hostFor(projects, options));
  const errors = new Map(projects.map((project) => [project, []]));
  const found = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
  for (const file of program.getSourceFiles()) {
    if (file.fileName.includes('/node_modules/')) continue;
    found.push(...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file));
  }
  for (const one of found) {
    const owner = projects.find((project) => one.file?.fileName.startsWith(`${project}/`)) ?? first;
    errors.get(owner)?.push(describe(one));
  }
  return [...errors];
}

function isRuntime(project, file) {
  return file.startsWith(`${project}/src/runtime/`);
}

function configOf(project) {
  const file = path.join(project, 'tsconfig.json');
  const { config, error } = ts.readConfigFile(file, ts.sys.readFile);
  if (error) throw new Error(describe(error));
  const noEmit = { noEmit: true, incremental: false, skipLibCheck: true, rootDir: undefined };
  // Node's own types come from this repository: a project is checked before anything is installed in it.
  const typeRoots = [inRepository('node_modules/@types')];
  return ts.parseJsonConfigFileContent(config, ts.sys, project, { ...noEmit, typeRoots });
}

/** Each project declares its tools to its runtime; two that have a tool of one name would contradict each other in a shared one. */
const DECLARED_TOOLS = 'interface DeclaredTools extends Tools {}';

/** Resolves imports of any project's runtime to the first project's. */
function hostFor(projects, options) {
  const host = ts.createCompilerHost(options);
  const { readFile } = host;
  host.readFile = (file) =>
    file.endsWith('/src/generated/types.ts') ? readFile(file)?.replace(DECLARED_TOOLS, '') : readFile(file);
  const cache = ts.createModuleResolutionCache(inRepository(), (name) => name, options);
  host.resolveModuleNameLiterals = (literals, containing, redirect, settings, source) =>
    literals.map((literal) => {
      const mode = ts.getModeForUsageLocation(source, literal, settings);
      const from = literal.text.startsWith('.') ? containing : inRepository('index.ts');
      const found = ts.resolveModuleName(literal.text, from, settings, host, cache, redirect, mode);
      const resolved = found.resolvedModule;
      const owner = resolved && projects.find((project) => isRuntime(project, resolved.resolvedFileName));
      if (!owner) return found;
      const resolvedFileName = projects[0] + resolved.resolvedFileName.slice(owner.length);
      return { ...found, resolvedModule: { ...resolved, resolvedFileName } };
    });
  return host;
}

function describe({ file, start, messageText }) {
  const text = ts.flattenDiagnosticMessageText(messageText, ' ');
  if (file === undefined || start === undefined) return text;
  const { line, character } = ts.getLineAndCharacterOfPosition(file, start);
  return `${path.basename(file.fileName)}:${line + 1}:${character + 1} ${text}`;
}

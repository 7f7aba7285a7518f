/** Runs the hook `onFiles`, which may change the project's files. */
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import { findUnknownMembers } from '../config/options/shape.ts';
import { CONFIG_FILES } from '../config/options/project-config.ts';
import { createDiagnostic, DiagnosticCollector, DiagnosticError } from '../diagnostics/collector.ts';
import {
  pathOfBuild,
  findManifestProblem,
  type GeneratedFile,
  isReserved,
  isSafePath,
  lockPath,
  transpile,
} from '../emit/index.ts';
import type { Hooks, ProjectFile } from '../model/user-code.ts';
import { type LoadedCode, callHook } from './user-code.ts';

/** Throws `DiagnosticError` if the hook fails, or returns unusable files. */
export async function changeFiles(
  files: GeneratedFile[],
  hooks: LoadedCode<Hooks>,
): Promise<GeneratedFile[]> {
  const { onFiles } = hooks.functions;
  if (onFiles === undefined) return files;
  const shown = files.filter(
    ({ path, ownership }) => ownership !== 'built' && ownerOfPath(path) === undefined,
  );
  const copies = shown.map(copyFile);
  const diagnostics = new DiagnosticCollector();
  const called = await callHook('onFiles', hooks, () => onFiles(copies), diagnostics);
  if (called === undefined) throw new DiagnosticError(...diagnostics.found);
  const changed: unknown = called.returned ?? copies;
  const throwHookError = (problems: readonly string[]): never => {
    throw new DiagnosticError(
      ...problems.map((unusable) =>
        createDiagnostic('hook-failed', { hook: 'onFiles', file: hooks.file, unusable }),
      ),
    );
  };
  const problems = findFilesProblems(changed);
  if (problems.length > 0) return throwHookError(problems);
  const before = new Map(shown.map((file) => [file.path, file]));
  const after = (changed as ProjectFile[]).map((file) => keepIfUnchanged(before.get(file.path), file));
  const gone = new Set(shown.filter((file) => !after.includes(file)).map(({ path }) => pathOfBuild(path)));
  const rest = files.filter((file) => !before.has(file.path) && !gone.has(file.path));
  const faults: string[] = [];
  const built = await Promise.all(
    after.filter((file) => before.get(file.path) !== file).map((file) => buildFile(file, files, faults)),
  );
  if (faults.length > 0) return throwHookError(faults);
  return [...after, ...rest, ...built.flat()];
}

function copyFile({ path, contents, ownership, executable }: GeneratedFile): ProjectFile {
  const copy = { path, contents, ownership: ownership === 'once' ? 'once' : 'generated' } as const;
  return executable === undefined ? copy : { ...copy, executable };
}

/** An unchanged file is the original, which is built already. */
function keepIfUnchanged(before: GeneratedFile | undefined, file: ProjectFile): GeneratedFile {
  const { path, contents, ownership = 'generated', executable = false } = file;
  const isSame =
    before?.contents === contents &&
    before.ownership === ownership &&
    (before.executable ?? false) === executable;
  return isSame ? before : { path, contents, ownership, ...(executable ? { executable } : {}) };
}

/** Builds a changed file as `npm run build` would. Faults are added to `problems`. */
async function buildFile(
  { path, contents }: GeneratedFile,
  files: readonly GeneratedFile[],
  problems: string[],
): Promise<GeneratedFile[]> {
  if (!/^(src|test)\/.*(?<!\.d)\.ts$/.test(path)) return [];
  const {
    code,
    faults: [fault],
  } = await transpile(contents, path);
  // Later faults are often consequences of the first.
  if (fault !== undefined)
    problems.push(`${path}:${fault.line}:${fault.column}: ${fault.message.replace(/\.$/, '')}`);
  const target = pathOfBuild(path);
  const isExecutable = files.some((file) => file.path === target && file.executable === true);
  return [
    { path: target, contents: code, ownership: 'built', ...(isExecutable ? { executable: true } : {}) },
  ];
}

function findFilesProblems(value: unknown): string[] {
  if (!Array.isArray(value)) return ['it returned something that is no list of files'];
  const single = (value as unknown[]).flatMap((file, index) => findFileProblem(file, index) ?? []);
  if (single.length > 0) return single;
  const files = value as ProjectFile[];
  // Windows and macOS compare paths without case.
  const pathsByKey = new Map<string, string>();
  const twice = files.filter(({ path }) => {
    const isTaken = pathsByKey.has(path.toLowerCase());
    pathsByKey.set(path.toLowerCase(), path);
    return isTaken;
  });
  const inFile = [...pathsByKey].filter(([key]) =>
    listParentFolders(key).some((folder) => pathsByKey.has(folder)),
  );
  const manifestProblems = files.flatMap(({ path, contents }) => {
    const problem = findManifestProblem(path, contents);
    return problem === undefined ? [] : `${path} ${problem}`;
  });
  return [
    ...twice.map(({ path }) => `two files are called ${path}`),
    ...inFile.map(([, path]) => `${path} is below a file`),
    ...manifestProblems,
  ];
}

function listParentFolders(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

const MEMBERS = ['path', 'contents', 'ownership', 'executable'];

function findFileProblem(file: unknown, index: number): string | undefined {
  if (!isRecord(file) || typeof file['path'] !== 'string') return `files[${index}] has no "path", a text`;
  const { path, contents, ownership = 'generated', executable = false } = file;
  if (!isSafePath(path)) return `the path ${JSON.stringify(path)} does not stay inside of the project`;
  const owner = ownerOfPath(path);
  if (owner !== undefined) return `${path} belongs to ${owner}`;
  const [stranger] = findUnknownMembers(file, MEMBERS, []);
  if (stranger !== undefined) return `the file ${path} ${stranger.problem}`;
  if (typeof contents !== 'string') return `the file ${path} has no "contents", a text`;
  if (ownership !== 'generated' && ownership !== 'once')
    return `the "ownership" of ${path} is neither "generated" nor "once"`;
  if (path.toLowerCase().startsWith('src/handlers/') && ownership !== 'once')
    return `${path} is its user's, as all below src/handlers/: its "ownership" is "once"`;
  return typeof executable === 'boolean' ? undefined : `"executable" of ${path} is neither true nor false`;
}

const RESERVED: readonly (readonly [path: string, owner: string])[] = [
  ['src/runtime/', 'the runtime, which is the same in every project'],
  ['src/app/', 'the copy of your own code: change the original'],
  ['dist/', 'what is built of the rest'],
  [lockPath, 'mcpgen'],
  ...CONFIG_FILES.map((file) => [file, 'the configuration'] as const),
];

/** Returns the owner of a path that hooks may neither see nor write. */
function ownerOfPath(path: string): string | undefined {
  if (isReserved(path)) return 'git or npm';
  const key = path.toLowerCase();
  return RESERVED.find(([start]) => (start.endsWith('/') ? key.startsWith(start) : key === start))?.[1];
}

import type { Command } from 'commander';
import type { CompileOptions } from '../../api/compile.ts';
import type { CommandContext } from '../command-context.ts';
import { runOptions, commandLine } from '../compile-options.ts';
import { type CompileFlags, type ReportFlags, type WriteFlags, writeOptions } from '../flags.ts';
import type { Host } from '../host.ts';
import {
  addAuthOption,
  addCodeOption,
  addFunctionOptions,
  addHelpOption,
  addReportOptions,
  addStrictOption,
  addWatchOption,
  addWriteOptions,
} from '../options.ts';
import type { Outcome } from '../outcome.ts';
import { runGeneration } from '../run-generation.ts';
import { definedMembers } from '../../util/defined-members.ts';

export type FunctionFlags = Pick<
  CompileFlags,
  'name' | 'serverVersion' | 'maxNameLength' | 'outputSchema' | 'auth' | 'strict' | 'code'
> & { tsconfig?: string };

type Flags = FunctionFlags & WriteFlags & ReportFlags & { link?: boolean; watch?: boolean };

const EXAMPLES = `Examples:
  mcpgen ts src/tools.ts
  mcpgen ts "src/**/*.ts" -o my-server --name my-server
`;

export function addTs(program: Command, { host, finish }: CommandContext): void {
  const command = program
    .command('ts')
    .summary('compile annotated TypeScript functions to a server project')
    .description(
      'Compiles exported functions with the JSDoc tags @tool, @resource, @prompt and @complete to a server project. ' +
        'The project contains a copy of their imports, or with --link, builds them in place.',
    )
    .argument('<files...>', 'TypeScript or JavaScript files and globs')
    .addHelpText('before', EXAMPLES);
  addWriteOptions(command).option('--link', 'build the code where it is, instead of copying it to src/app/');
  addAuthOption(addFunctionOptions(command));
  addWatchOption(command, 'regenerate when a source changes');
  addCodeOption(command);
  addReportOptions(addStrictOption(command));
  addHelpOption(command);
  command.action(async (files: string[], flags: Flags) => {
    finish(await compileFunctions(files, flags, host), flags);
  });
}

async function compileFunctions(files: string[], flags: Flags, host: Host): Promise<Outcome> {
  const options = functionOptions(files, flags, host);
  const { generate } = await import('../../api/generate.ts');
  const target = {
    ...writeOptions(flags),
    command: commandLine(host),
    ...definedMembers({ link: flags.link }),
  };
  return runGeneration(options.source, { ...target, watch: flags.watch === true }, flags, host, (run) =>
    generate({ ...options, ...target, ...run }),
  );
}

/** Flags as options of the programmatic API. */
export function functionOptions(
  files: string[],
  flags: FunctionFlags,
  host: Host,
): CompileOptions & { cwd: string } {
  const { name, serverVersion, maxNameLength, outputSchema, auth, strict, tsconfig } = flags;
  return {
    ...runOptions(host, flags),
    source: nameOf(files),
    typescript: { files, ...definedMembers({ tsconfig }) },
    ...definedMembers({ name, serverVersion, maxNameLength, outputSchema, auth, strict }),
  };
}

/** A shell makes many of one glob. */
function nameOf([first = '', ...others]: string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

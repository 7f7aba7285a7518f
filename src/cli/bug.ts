/** The report of a bug in mcpgen. Paths and names of the user's machine stay out of it. */
import { escapeInvisible } from '../diagnostics/render/terminal-text.ts';
import { bugs, packageRoot, version } from '../util/version.ts';

export interface BugReport {
  message: string;
  mcpgen: string;
  node: string;
  platform: string;
  command: string;
  stack: string[];
}

export function describeBug(error: unknown, command: string): BugReport {
  return {
    message: escapeInvisible(error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
    mcpgen: version,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    command,
    stack: cleanStack(error),
  };
}

export function renderBug({ message, mcpgen, node, platform, command, stack }: BugReport): string {
  return [
    'mcpgen failed because of a bug.',
    `Please report it${bugs === undefined ? '' : ` at ${bugs}`} with the text below.`,
    '',
    `mcpgen ${mcpgen} · node ${node} · ${platform} · command: ${command}`,
    message,
    ...stack.map((line) => `    ${line}`),
    '',
  ].join('\n');
}

/** Keeps stack frames but Node's own, with paths relative to the package: a home folder's name is private. */
function cleanStack(error: unknown): string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  const root = packageRoot();
  return error.stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at ') && !line.includes('node:internal'))
    .map((line) => line.replaceAll(root.href, '').replaceAll(decodeURIComponent(root.pathname), ''));
}

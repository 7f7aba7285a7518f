/** What is printed for a failure of ours: everything a report needs, and nothing of the person's machine. */
import { visible } from '../diagnostics/render/visible.ts';
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
    message: visible(error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
    mcpgen: version,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    command,
    stack: cleanStack(error),
  };
}

export function renderBug(report: BugReport): string {
  const { message, mcpgen, node, platform, command, stack } = report;
  const where =
    bugs === undefined
      ? 'Please report it with the text below.'
      : `Please report it at ${bugs} with the text below.`;
  return [
    'mcpgen failed because of a bug.',
    where,
    '',
    `mcpgen ${mcpgen} · node ${node} · ${platform} · command: ${command}`,
    message,
    ...stack.map((line) => `    ${line}`),
    '',
  ].join('\n');
}

/** Frames of ours, with paths relative to the package: a home folder's name is nobody's business. */
function cleanStack(error: unknown): string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  const root = packageRoot();
  return error.stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at ') && !line.includes('node:internal'))
    .map((line) => line.replaceAll(root.href, '').replaceAll(decodeURIComponent(root.pathname), ''));
}

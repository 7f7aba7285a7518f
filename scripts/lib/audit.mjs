/** Known weaknesses of a folder's packages, from the registry. */
import { run } from './run.mjs';

/** How long a registry may take, its repetitions included, in ms. */
const PATIENCE_MS = 120_000;

/** `folder`: with a `package-lock.json`; `options`: of npm. */
export async function auditOf(folder, options = []) {
  const { stdout, stderr } = await run('npm', ['audit', '--json', ...options], {
    cwd: folder,
    timeout: PATIENCE_MS,
  });
  const report = parsed(stdout);
  const counts = report?.metadata?.vulnerabilities;
  if (counts === undefined) return { words: `Not audited: ${reasonOf(report, stderr)}`, isWeak: false };
  if (counts.total === 0)
    return {
      words: `No weakness is known of ${report.metadata.dependencies.total} packages.`,
      isWeak: false,
    };
  const found = Object.values(report.vulnerabilities).map(
    ({ name, severity, range }) => `${severity}: ${name} ${range}`,
  );
  return { words: found.join('\n'), isWeak: true };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** npm's words if it got no report. */
function reasonOf(report, stderr) {
  const { statusCode, message, error } = report ?? {};
  const said =
    statusCode === undefined
      ? (error?.summary ?? message ?? stderr.trim())
      : `the registry answers ${statusCode}`;
  return `${said.split('\n')[0] || 'npm says nothing'}.`;
}

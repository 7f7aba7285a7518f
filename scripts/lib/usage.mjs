/** The command line of a script: every one answers `--help`, and does nothing when it is misunderstood. */
import { parseArgs } from 'node:util';

/**
 * Reads the options. `--help` prints `usage` and ends with 0; what it does not know ends with 2. `usage`: `npm run
 * bench [-- --corpus <folder>]`.
 */
export function readOptions(usage, { options = {}, ...config } = {}) {
  try {
    const read = parseArgs({ ...config, options: { ...options, help: { type: 'boolean', short: 'h' } } });
    if (!read.values.help) return read;
  } catch (error) {
    misused(usage, error.message);
  }
  console.log(`Usage: ${usage}`);
  return process.exit(0);
}

/** Ends with 2. */
export function misused(usage, problem) {
  console.error(`${problem}\nUsage: ${usage}`);
  process.exit(2);
}

/** The value of an option that counts something; ends with 2 when it is no whole number above 0. */
export function readCount(usage, name, value) {
  const count = Number(value);
  return Number.isSafeInteger(count) && count > 0
    ? count
    : misused(usage, `--${name} must be a whole number above 0, not ${value}.`);
}

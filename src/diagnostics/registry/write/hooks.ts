/** MCPG5xx: hooks and helpers of the user, while they run. */
import { define } from '../../define.ts';

export const hookDiagnostics = {
  'hook-failed': define<{ hook: string; file: string; reason: string }>({
    code: 'MCPG555',
    severity: 'error',
    message: ({ hook, file, reason }) => `The hook ${hook} of ${file} threw an error: ${reason}`,
    hint: 'Correct the hook. Nothing was written.',
    docs: {
      cause:
        'A function that the configuration names in "hooks" threw, or rejected, while the server was made.',
      fix: 'Correct the function, at the place that is shown, or take it out of "hooks".',
      example: 'export function onModel(model) {\n  model.tools[0].titel.trim();\n}',
    },
  }),
  'hook-broke-model': define<{ file: string; problem: string }>({
    code: 'MCPG556',
    severity: 'error',
    message: ({ file, problem }) =>
      `What the hook onModel of ${file} made of the server is not usable: ${problem}.`,
    hint: '`mcpgen inspect --json` prints a model as hooks are given it; schema/server-model.json says what it may hold.',
    docs: {
      cause:
        'What a hook returns, or leaves of its argument, is checked as what mcpgen makes itself: by the schema of the model, and by rules that clients depend upon, such as names that are unique, and arguments that each go somewhere.',
      fix: 'Change the hook so that what the message names holds. A tool that is left out must not be named by a resource.',
      example: "export function onModel(model) {\n  model.tools[0].name = 'not a name';\n}",
    },
  }),
  'hook-broke-files': define<{ file: string; problem: string }>({
    code: 'MCPG557',
    severity: 'error',
    message: ({ file, problem }) =>
      `The files that the hook onFiles of ${file} gave can't be written: ${problem}.`,
    hint: 'A file has a `path` inside of the project, which no other has, and `contents`, a text.',
    docs: {
      cause:
        'A path leaves the project, is there twice, or belongs to somebody else: the runtime, `dist/`, the configuration, the lock, git or npm; or a file has no contents, or code that cannot be parsed; or a file is gone that the project is built, run or tested with; or package.json, server.json or manifest.json is not a JSON object, or package.json lacks what the project needs: name, version, type, and the scripts `build` and `test`.',
      fix: "Change what the hook adds. Take out only files that `omit` may name, and tests, all but one. Files below src/handlers/ are their user's: `ownership: 'once'`.",
      example:
        "export function onFiles(files) {\n  files.push({ path: '../CODEOWNERS', contents: '* @me' });\n}",
    },
  }),
  'helper-name-taken': define<{ helper: string; file: string }>({
    code: 'MCPG558',
    severity: 'error',
    message: ({ helper, file }) => `The helper ${helper} of ${file} has the name of a built-in one.`,
    hint: 'Give it another name: templates that use the built-in helper would break.',
    docs: {
      cause:
        'A helper of yours may not stand in for one that mcpgen or Handlebars brings: built-in helpers are what keeps the text of a document from becoming code or markup.',
      fix: 'Rename it, in the module and in your templates.',
      example: 'export const json = (value) => JSON.stringify(value);',
    },
  }),
  'user-code-ended': define<{ code: string; way: string }>({
    code: 'MCPG559',
    severity: 'error',
    message: ({ code, way }) => `mcpgen could not go on: ${code} ${way}.`,
    hint: 'Throw an error where it cannot go on, and settle each promise that it waits for.',
    docs: {
      cause:
        'A hook, a helper, or a module of yours as it was loaded called `exit`, or waits for a promise that nothing settles. What mcpgen had still to do was not done.',
      fix: 'Throw an error instead of ending the process: it is told with its place. Look for a promise whose `resolve` is not called.',
      example: "import { exit } from 'node:process';\nexport const onModel = () => exit(0);",
    },
  }),
  'user-code-threw': define<{ code: string; reason: string }>({
    code: 'MCPG560',
    severity: 'error',
    message: ({ code, reason }) => `An error that nobody catches was thrown by ${code}: ${reason}`,
    hint: 'Await the promises that it makes, and catch what timers and listeners throw.',
    docs: {
      cause:
        'Code of a hook, a helper or a configuration threw in a timer or a listener, or a promise that it does not await was rejected. What mcpgen had still to do was not done.',
      fix: 'Await the promise, or catch the error where it is thrown, and throw it from the hook itself if the run is to stop.',
      example: "export function onModel() {\n  setTimeout(() => {\n    throw new Error('late');\n  });\n}",
    },
  }),
};

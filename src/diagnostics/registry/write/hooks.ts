/** MCPG5xx: hooks and helpers of the user, while they run. */
import { define } from '../../define.ts';

export const hookDiagnostics = {
  'hook-failed': define<{ hook: string; file: string; reason: string }>({
    code: 'MCPG555',
    severity: 'error',
    message: ({ hook, file, reason }) => `The hook ${hook} of ${file} threw an error: ${reason}`,
    hint: 'Correct the hook. Nothing was written.',
    docs: {
      cause: 'A function in "hooks" of the configuration threw or rejected during compilation.',
      fix: 'Correct the function at the place in the message, or remove it from "hooks".',
      example: 'export function onModel(model) {\n  model.tools[0].titel.trim();\n}',
    },
  }),
  'hook-broke-model': define<{ file: string; problem: string }>({
    code: 'MCPG556',
    severity: 'error',
    message: ({ file, problem }) => `The hook onModel of ${file} produced an invalid model: ${problem}.`,
    hint: 'See schema/server-model.json. `mcpgen inspect --json` prints the model that hooks receive.',
    docs: {
      cause:
        'mcpgen checks the model that a hook returns or changes like its own: against its schema, and against rules for clients, such as unique names and a binding for each argument.',
      fix: 'Change the hook to fix the problem in the message. A resource must not reference a removed tool.',
      example: "export function onModel(model) {\n  model.tools[0].name = 'not a name';\n}",
    },
  }),
  'hook-broke-files': define<{ file: string; problem: string }>({
    code: 'MCPG557',
    severity: 'error',
    message: ({ file, problem }) =>
      `The hook onFiles of ${file} produced files that cannot be written: ${problem}.`,
    hint: 'A file needs a unique `path` inside the project and a string `contents`.',
    docs: {
      cause:
        'A path is outside the project, occurs twice, or is reserved: the runtime, `dist/`, the configuration, the lock, git or npm. Or a file has no contents or invalid code, a file is missing that the project needs to build, run or test, or package.json, server.json or manifest.json is invalid. package.json needs name, version, type, and the scripts `build` and `test`.',
      fix: "Change what the hook adds. Remove only files that `omit` allows, and tests, except the last one. For files in src/handlers/, set `ownership: 'once'`.",
      example:
        "export function onFiles(files) {\n  files.push({ path: '../CODEOWNERS', contents: '* @me' });\n}",
    },
  }),
  'helper-name-taken': define<{ helper: string; file: string }>({
    code: 'MCPG558',
    severity: 'error',
    message: ({ helper, file }) => `The helper ${helper} of ${file} has the name of a built-in helper.`,
    hint: 'Rename it, since templates with the built-in helper would break.',
    docs: {
      cause:
        'Your helpers cannot replace those of mcpgen or Handlebars, which prevent text of a document from becoming code or markup.',
      fix: 'Rename it in the module and in your templates.',
      example: 'export const json = (value) => JSON.stringify(value);',
    },
  }),
  'user-code-ended': define<{ code: string; way: string }>({
    code: 'MCPG559',
    severity: 'error',
    message: ({ code, way }) => `mcpgen stopped: ${code} ${way}.`,
    hint: 'Throw an error to stop, and settle each promise that it awaits.',
    docs: {
      cause:
        'A hook, a helper or your module called `exit`, or awaits a promise that never settles. mcpgen could not finish.',
      fix: 'Throw an error instead of ending the process; mcpgen reports its place. Look for a promise whose `resolve` is never called.',
      example: "import { exit } from 'node:process';\nexport const onModel = () => exit(0);",
    },
  }),
  'user-code-threw': define<{ code: string; reason: string }>({
    code: 'MCPG560',
    severity: 'error',
    message: ({ code, reason }) => `${code} threw an uncaught error: ${reason}`,
    hint: 'Await its promises, and catch errors in timers and listeners.',
    docs: {
      cause:
        'Code of a hook, helper or configuration threw in a timer or listener, or a promise that it does not await was rejected. mcpgen could not finish.',
      fix: 'Await the promise or catch the error. To stop the run, throw from the hook itself.',
      example: "export function onModel() {\n  setTimeout(() => {\n    throw new Error('late');\n  });\n}",
    },
  }),
};

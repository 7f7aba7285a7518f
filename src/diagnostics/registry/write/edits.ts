/** MCPG5xx: what a person has changed in a project's files. */
import { codeSpan } from '../../code-span.ts';
import { define } from '../../define.ts';
import { aboutCopies } from './copies.ts';

/** A merge needs the text that was edited: where it is known of none, none is offered. */
function waysOut({ baseless, mergeable }: { baseless: string; mergeable: 'some' | 'none' }): string {
  if (mergeable === 'none')
    return 'What mcpgen had written there is not known any more, so nothing can be merged this time: take over by hand what mcpgen would change, and add --keep to make them yours, after which later changes can be merged';
  const but =
    baseless === '' ? '' : ` (not of ${baseless}: what mcpgen had written there is not known any more)`;
  return `Or add --merge to put what mcpgen would change into them${but}, --keep to make them yours`;
}

export const editDiagnostics = {
  'file-edited': define<{
    dir: string;
    label: string;
    outer: string;
    files: string;
    baseless: string;
    /** `baseless` are the others. */
    mergeable: 'some' | 'none';
  }>({
    code: 'MCPG504',
    severity: 'error',
    message: ({ dir, files }) =>
      `Generated files in ${dir} were edited by hand: ${files}. Writing them anew would lose the edits, so nothing was written.`,
    hint: ({ files, label, outer, ...merging }) =>
      files === 'mcpgen.config.json'
        ? `Run \`mcpgen generate ${label}\` to compile with the edited configuration, ${outer === '' ? '' : `or write what you have changed into ${outer}, `}or add --force: the file is then kept as mcpgen.config.json.orig.`
        : `Move the changes to src/handlers/, or to templates of yours (\`templates\` in ${outer === '' ? 'mcpgen.config.json' : outer}). ${waysOut(merging)}, or --force to overwrite them, keeping each as <name>.orig.${aboutCopies(files, outer)}`,
    docs: {
      cause:
        'The hash of a generated file is not the one in mcpgen.lock, so somebody changed it after mcpgen wrote it.',
      fix: 'Put your changes where they survive: src/handlers/, a template of your own (--templates), or mcpgen.config.json. Then run again with --force, which keeps each edited file as <name>.orig. To go on with the edited files, --merge puts what mcpgen would change into them, as far as it is known what mcpgen had written there (MCPG527), and --keep leaves them as they are; mcpgen.lock then says that they are yours. Files below src/app/ are copies of your code: `typescript` in the configuration says where it stands, and it is to be changed there.',
    },
  }),
  'obsolete-file-kept': define<{ path: string }>({
    code: 'MCPG514',
    severity: 'warning',
    message: ({ path }) =>
      `${path} is no longer generated, but was edited by hand, so it was left where it is. It is yours from now on.`,
    hint: 'Delete it when you do not need it.',
    docs: {
      cause:
        'An earlier run generated the file, this one does not, and its contents are not what mcpgen wrote.',
      fix: 'Keep it or delete it; mcpgen has forgotten it.',
    },
  }),
  'merge-without-base': define<{ path: string; standing: 'owned' | 'edited' }>({
    code: 'MCPG527',
    severity: 'error',
    message: ({ path }) =>
      `${path} cannot be merged: what it was generated as is neither what mcpgen would write now, nor in mcpgen.lock, nor in the last commits of git. Nothing was written.`,
    hint: ({ standing }) =>
      `Take over by hand what mcpgen would change, and run with --keep: later changes can be merged then. Or ${standing === 'owned' ? 'delete the file, and run again to have the generated one' : 'run with --force, which keeps the file as .orig'}.`,
    docs: {
      cause:
        'A merge needs the text that was edited. mcpgen.lock has its hash, and the text itself once the file is yours. The first time it is looked for in what is generated now, and in the last 20 commits of the file. It is in neither: what was generated has not been committed before it was edited, or the lock is of a mcpgen that kept no texts.',
      fix: 'The command shows how your file differs from what would be written. Edit it, and run with --keep: mcpgen.lock holds the text from then on, and --merge works. To have the generated file, delete yours and run again; --force does it only for a file that is not yours yet.',
    },
  }),
  'merge-conflict': define<{ path: string; lines: string }>({
    code: 'MCPG528',
    severity: 'error',
    message: ({ path, lines }) =>
      `${path} cannot be merged: mcpgen would change what you have changed too, at your lines ${lines}. Nothing was written.`,
    hint: 'Take over by hand what mcpgen would change, and run with --keep; or undo your change of these lines, and run with --merge again.',
    docs: {
      cause:
        '`--merge` puts what has changed in a generated file into your edited one. Both have changed the same lines, or neighbouring ones, in different ways. No file with conflict marks is ever written, since the server would not start.',
      fix: 'Compare the two diffs that the command shows, edit the file so that it holds what you want, and run with --keep.',
    },
  }),
  'owned-file-behind': define<{ path: string; base: 'known' | 'lost' }>({
    code: 'MCPG529',
    severity: 'info',
    message: ({ path, base }) =>
      `${path} is yours, and stays as it is; what mcpgen would write there has changed since you took it over: \`--merge\` ${base === 'known' ? 'takes the changes over' : 'cannot take the changes over, since what yours was made from is not known any more'}, \`--keep\` leaves them out for good.`,
    hint: ({ base }) =>
      `${base === 'known' ? 'Run with --merge to take the changes over, or with --keep not to be told of these again.' : 'Run with --merge to see how the files differ, take over by hand what you want, and run with --keep: later changes can be merged then.'} To have the generated file back, delete yours and run again.`,
    docs: {
      cause:
        'The file was taken over with `--keep` or `--merge`, and mcpgen.lock says which generated text it takes account of. It is another now.',
      fix: 'Decide with --merge or --keep. Where --merge has nothing to begin with, because an earlier mcpgen has written the lock, --keep mends that for the next time. --force leaves it as it is. To have the generated file back, delete yours and run again. When the file is what mcpgen writes again, it is no longer yours.',
    },
  }),
  'package-not-merged': define<{ file: string }>({
    code: 'MCPG530',
    severity: 'error',
    message: ({ file }) =>
      `${file} is not a JSON object, so what mcpgen would change in it cannot be merged with what you have. Nothing was written.`,
    hint: 'Correct the file, or restore it from version control.',
    docs: {
      cause:
        'package.json of a project is merged key by key, so that your scripts and dependencies stay. It has a syntax error, or the marks of a merge conflict.',
      fix: 'Correct the file. With --force it is written anew, and kept as package.json.orig.',
      example: '{ "scripts": { "lint": "eslint ." }, }',
    },
  }),
  'package-keys-kept': define<{ file: string; keys: string }>({
    code: 'MCPG531',
    severity: 'info',
    message: ({ file, keys }) =>
      `In ${file} your values stay for keys that mcpgen would now write differently: ${keys}.`,
    hint: 'Compare them with what `mcpgen.lock` holds under `package`, which is what mcpgen would write.',
    docs: {
      cause:
        'package.json is merged key by key. You and mcpgen have both changed these keys since the project was last written, so yours stand. It is told once.',
      fix: 'Nothing has to be done when your values are right: a script of yours may need what the generated one does now.',
    },
  }),
  'published-otherwise': define<{ file: string; key: string; there: string; option: string; here: string }>({
    code: 'MCPG543',
    severity: 'warning',
    message: ({ file, key, there, option, here }) =>
      `${file} says ${codeSpan(there)} as \`${key}\`, and the configuration ${codeSpan(here)} as \`${option}\`. Everything that is published says what package.json does.`,
    hint: ({ key, option }) =>
      `Take \`${option}\` out of the configuration, or give \`${key}\` its value in package.json.`,
    docs: {
      cause:
        'The version and the name in the MCP registry stand in several files that are published together, so one place decides: the package.json of the project, once somebody has changed it there (`npm version` does). The configuration says something else.',
      fix: 'Keep one of the two. Without `serverVersion` the version is that of package.json; where package.json says what is generated there, it is that of the configuration, or of the source.',
    },
  }),
  'package-value-unusable': define<{
    file: string;
    key: string;
    /** As JSON. */
    there: string;
    wanted: string;
    effect: string;
  }>({
    code: 'MCPG565',
    severity: 'warning',
    message: ({ file, key, there, wanted, effect }) =>
      `${file} says ${codeSpan(there)} as \`${key}\`, which is not ${wanted}. ${effect}`,
    hint: ({ key }) =>
      `Correct \`${key}\`, or take it out: what mcpgen would write is in mcpgen.lock, under \`package\`.`,
    docs: {
      cause:
        'The package.json of a project decides what is published, and npm reads it. This value is of no use to either.',
      fix: 'Correct the value. Until then other files say what mcpgen would write there, or nothing.',
      example: '{ "version": "next", "scripts": null }',
    },
  }),
  'package-not-module': define<{ file: string; there: string }>({
    code: 'MCPG566',
    severity: 'error',
    message: ({ file, there }) =>
      `${file} ${there === '' ? 'has no `type`' : `says ${codeSpan(there)} as \`type\``}. The code of the project is modules, so that the server can't start with another than \`"module"\`.`,
    hint: 'Write `"type": "module"` into it.',
    docs: {
      cause:
        'Node takes the `.js` files of a package for modules where its package.json has `"type": "module"`, and those of an emitted project are such.',
      fix: 'Write `"type": "module"` into the package.json of the project. Files of your own that are CommonJS are named `.cjs`.',
      example: '{ "type": "commonjs" }',
    },
  }),
  'settings-lost': define<{ file: string; dir: string; settings: string; outer: string }>({
    code: 'MCPG535',
    severity: 'error',
    message: ({ file, settings }) =>
      `${file} holds settings that this run would drop: ${settings}. The server would be another one without them, so nothing was written.`,
    hint: ({ dir, outer }) =>
      `Run \`mcpgen generate ${dir}\` to compile with these settings; ${outer === '' ? 'or give them in this run too' : `or write them into ${outer}`}; or add --force to compile without them: the file is then kept as mcpgen.config.json.orig.`,
    docs: {
      cause:
        'The project has a mcpgen.config.json with settings that a person wrote there, or that an earlier command line gave. This run takes its settings from elsewhere, from the command line or from a configuration outside the project, and would replace the file. What was excluded would be served again.',
      fix: 'Run `mcpgen generate <dir>`, which compiles with the file as it stands. To drop the settings, take them out of it, or pass --force.',
      example: 'mcpgen openapi petstore.yaml --exclude method:DELETE && mcpgen openapi petstore.yaml',
    },
  }),
  'configured-already': define<{ dir: string; file: string }>({
    code: 'MCPG548',
    severity: 'error',
    message: ({ file }) =>
      `The folder has a configuration that somebody has written, ${file}. This run would add a mcpgen.config.json to it, and of two none holds. Nothing was written.`,
    hint: ({ dir }) =>
      `Run \`mcpgen generate ${dir}\` to compile what it says, or name another folder with -o. With --force this run writes the project and adds no configuration.`,
    docs: {
      cause:
        'A run that is configured elsewhere, by the command line or by a configuration outside the folder, writes a mcpgen.config.json that says the same again. In the folder there is a mcpgen.config.ts, .js or .yaml already.',
      fix: 'Put what this run says into that configuration, and run `mcpgen generate <dir>`; or delete it.',
      example: 'mcpgen openapi petstore.yaml -o folder-with-mcpgen-config-yaml',
    },
  }),
};

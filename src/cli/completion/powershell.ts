import { type DescribedCommand, type Values, groupOptionsByValues } from './described-command.ts';

/** A file or folder is completed by PowerShell itself where the block returns nothing. */
export function printPowershell(commands: readonly DescribedCommand[]): string {
  return `# PowerShell completion for mcpgen. Load it with: mcpgen completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName mcpgen -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $tree = @{
${commands.map(printCommand).join('')}  }
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $path = ''
  $count = 0
  $last = ''
  foreach ($word in $words) {
    $taken = $last -ne '' -and $tree[$path].values.ContainsKey($last)
    $next = "$path $word".Trim()
    if ($taken) { $last = '' }
    elseif ($word -like '-*') { $last = $word }
    else {
      $last = ''
      if ($tree.ContainsKey($next)) { $path = $next } else { $count++ }
    }
  }
  $here = $tree[$path]
  $found = if ($last -ne '' -and $here.values.ContainsKey($last)) { $here.values[$last] }
    elseif ($wordToComplete -like '-*') { $here.options }
    elseif ($here.commands.Count -gt 0) { $here.commands }
    elseif ($count -lt $here.arguments.Count) { $here.arguments[$count] }
  $found | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}

function printCommand({ path, commands, options, arguments: all }: DescribedCommand): string {
  const values = groupOptionsByValues(options).flatMap(({ names, values: each }) =>
    names.map((name) => `${quoteForPowershell(name)} = ${printPowershellValues(each)}`),
  );
  return `    ${quoteForPowershell(path)} = @{
      commands = ${printArray(commands.map(({ name }) => name))}
      options = ${printArray(options.flatMap(({ names }) => names))}
      values = @{ ${values.join('; ')} }
      arguments = @(${all.map((each) => `, ${printPowershellValues(each)}`).join('; ')})
    }
`;
}

function printPowershellValues(values: Values): string {
  return printArray(typeof values === 'string' ? [] : values);
}

function printArray(items: readonly string[]): string {
  return `@(${items.map(quoteForPowershell).join(', ')})`;
}

function quoteForPowershell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

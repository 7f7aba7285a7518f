/** The command that a package brings: a scoped package's has no scope. */
export function commandName({ name }: { name: string }): string {
  return name.split('/').at(-1) ?? name;
}

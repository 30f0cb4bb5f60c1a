/** Formats the refusal of a second devnet of one name. `since`: Unix milliseconds. */
export function alreadyUp(name: string, { pid, since }: { readonly pid: number; readonly since: number }): string {
  return (
    `devnet: ${name} is already up (supervisor ${pid}, since ${new Date(since).toISOString()})\n` +
    `  run \`devnet down ${name}\` to end it, or add --reuse to use it\n`
  );
}

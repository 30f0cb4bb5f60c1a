/** A command of the user's: a line for a shell, or a program and its arguments. */
export type UserCommand = string | readonly string[];

/** Returns the program and its arguments. Only a line goes to a shell. */
export function argvOf(command: UserCommand): readonly string[] {
  return typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
}

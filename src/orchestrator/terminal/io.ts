/** Output and environment of a command. Tests pass their own. */
export interface Io {
  /** Writes the answer: a text for people, or what `forPrograms` of the command is true for. */
  stdout(text: string): void;
  /** Writes progress, notices and errors for people. */
  stderr(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether stderr is a terminal. */
  readonly isTty: boolean;
  /** Returns the columns of a stream's terminal. Undefined or absent: it is none. */
  columns?(stream: 'stdout' | 'stderr'): number | undefined;
  /** How a shell calls this installation: `devnet`, `npx devnet` or a path. Absent: `devnet`. */
  readonly program?: string;
  /** The devnet that `./devnet.yaml` names. Absent: there is no such file, or a name is given. */
  readonly folderDevnet?: FolderDevnet;
  /** Receives the devnet that the command is about, so that the commands in its messages name it. */
  about?(name: string): void;
  /** Returns the task of that devnet at a URL: `main/sequencer/el`. */
  programAt?(url: string): string | undefined;
  /** Returns a text whose commands in backticks run as they are: see `told-commands.ts`. */
  runnable?(text: string): string;
}

/** What the current folder's spec tells of its devnet. */
export type FolderDevnet =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'unreadable'; readonly problem: string };

import { execa } from 'execa';

/** Opens a file in the user's browser: `$BROWSER`, else that of the system. @throws the error of the program */
export async function openInBrowser(path: string): Promise<void> {
  const program = process.env['BROWSER'] ?? (process.platform === 'darwin' ? 'open' : 'xdg-open');
  await execa(program, [path], { stdio: 'ignore', cleanup: false });
}

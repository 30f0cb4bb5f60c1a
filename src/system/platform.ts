import { existsSync } from 'node:fs';

/** With `DEVNET_TEST_HIDE=macos` the program sees nothing of Linux that macOS lacks: tests run the ways of macOS on Linux by it. */
const HIDES_LINUX = process.env['DEVNET_TEST_HIDE'] === 'macos';

/** Where the system lists its processes. */
export const PROC = HIDES_LINUX ? '/hidden/proc' : '/proc';

/** Whether the system lists its processes as files. */
export const hasProc = (): boolean => existsSync(`${PROC}/self/stat`);

/** Whether an address is one that this machine lacks: macOS has none of 127.0.0.0/8 but 127.0.0.1. */
export const lacksAddress = (host: string): boolean => HIDES_LINUX && host.startsWith('127.') && host !== '127.0.0.1';

/** What a program says where it cannot run; undefined where it can. */
export function unsupportedPlatform(platform: string = process.platform): string | undefined {
  if (platform === 'linux' || platform === 'darwin') return undefined;
  const instead = platform === 'win32' ? '; on Windows, run it inside WSL 2 (wsl --install)' : '';
  return `this is ${platform}: rollup-devnet runs on Linux and macOS${instead}`;
}

import { existsSync } from 'node:fs';

/** Hides what macOS lacks (`DEVNET_TEST_HIDE=macos`), so that tests run macOS's code paths on Linux. */
const HIDES_LINUX = process.env['DEVNET_TEST_HIDE'] === 'macos';

/** End of the names of files that processes share which name one boot of the machine alike. */
export const BOOT_NAMES = HIDES_LINUX ? '-hidden' : '';

/** Folder in which the system lists its processes. */
export const PROC = HIDES_LINUX ? '/hidden/proc' : '/proc';

/** Returns whether the system lists its processes as files. */
export const hasProc = (): boolean => existsSync(`${PROC}/self/stat`);

/** Returns whether this machine lacks an address: macOS has none of 127.0.0.0/8 but 127.0.0.1. */
export const lacksAddress = (host: string): boolean => HIDES_LINUX && host.startsWith('127.') && host !== '127.0.0.1';

/** Returns why the package cannot run on a platform, undefined if it can. */
export function unsupportedPlatform(platform: string = process.platform): string | undefined {
  if (platform === 'linux' || platform === 'darwin') return undefined;
  const instead = platform === 'win32' ? '; on Windows, run it inside WSL 2 (wsl --install)' : '';
  return `this is ${platform}: rollup-devnet runs on Linux and macOS${instead}`;
}

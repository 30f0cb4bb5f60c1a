import { type Devnet, devnetAt, isUp } from '../devnet/select.ts';

/** Time (ms) between two checks whether the devnet is still the same. */
const CHECK_MS = 1000;

export interface Succession {
  /** Returns whether the devnet on disk is the one that is shown. */
  isSame(): boolean;
  /** Called once when it is taken down. */
  down(): void;
  /** Called when the next devnet of its name runs. From then on that one is the same. */
  next(devnet: Devnet): void;
}

/** Watches whether a devnet is taken down and another one of its name comes. Returns the end of the watch. */
export function watchSuccession({ paths, owner }: Devnet, { isSame, down, next }: Succession): () => void {
  let lastPid = owner?.pid;
  let isDown = false;
  const checks = setInterval(() => {
    const current = devnetAt(paths);
    if (isSame()) {
      lastPid = current.owner?.pid;
      isDown = false;
    } else if (current.file.kind === 'state' && isUp(current) && current.owner?.pid !== lastPid) next(current);
    else if (!isDown) {
      isDown = true;
      down();
    }
  }, CHECK_MS);
  return () => clearInterval(checks);
}

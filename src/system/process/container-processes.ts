import { readFileSync } from 'node:fs';
import { PROC } from '../program/platform.ts';

/**
 * Returns the process ids on this machine of a container's first process and of what that started.
 * Empty if the system does not tell, or if the container's daemon counts processes of another machine.
 */
export function processesOf(containerId: string, first: number): readonly number[] {
  if (read(`${first}/cgroup`)?.includes(containerId) !== true) return [];
  return [first, ...childrenOf(first)];
}

function childrenOf(pid: number): readonly number[] {
  const children = (read(`${pid}/task/${pid}/children`) ?? '').split(' ').filter((word) => word !== '');
  return children.map(Number).flatMap((child) => [child, ...childrenOf(child)]);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(`${PROC}/${path}`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

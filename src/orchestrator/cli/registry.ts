import type { CommandDefinition } from '../workflow/command.ts';

/**
 * Every command and its module. A module is loaded when its command is called, because each module costs start-up
 * time.
 */
export const COMMANDS: Readonly<Record<string, () => Promise<{ readonly command: CommandDefinition }>>> = {
  up: () => import('./up.ts'),
  plan: () => import('./plan.ts'),
  spec: () => import('./spec.ts'),
  validate: () => import('./validate.ts'),
  init: () => import('./init.ts'),
  stop: () => import('./stop.ts'),
  start: () => import('./start.ts'),
  down: () => import('./down.ts'),
  exec: () => import('./exec.ts'),
  run: () => import('./run.ts'),
  wait: () => import('./wait.ts'),
  ls: () => import('./ls.ts'),
  status: () => import('./status.ts'),
  logs: () => import('./logs.ts'),
  env: () => import('./env.ts'),
  accounts: () => import('./accounts.ts'),
  'node stop': () => import('./node-stop.ts'),
  'node start': () => import('./node-start.ts'),
  'node restart': () => import('./node-restart.ts'),
  'node kill': () => import('./node-kill.ts'),
  'node pause': () => import('./node-pause.ts'),
  'node resume': () => import('./node-resume.ts'),
  'node reset': () => import('./node-reset.ts'),
  fork: () => import('./fork.ts'),
  warp: () => import('./warp.ts'),
  pause: () => import('./pause.ts'),
  resume: () => import('./resume.ts'),
  forks: () => import('./forks.ts'),
  load: () => import('./load.ts'),
  fund: () => import('./fund.ts'),
  check: () => import('./check.ts'),
  watch: () => import('./watch.ts'),
  doctor: () => import('./doctor.ts'),
  schema: () => import('./schema.ts'),
  'upgrade-bundle': () => import('./upgrade-bundle.ts'),
  gc: () => import('./gc.ts'),
};

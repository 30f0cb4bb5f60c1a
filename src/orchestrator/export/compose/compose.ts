import { stringify } from 'yaml';
import type { Unit } from '../unit.ts';
import { composeHead } from './head.ts';
import { type ComposeOptions, composeService } from './service.ts';

/**
 * Returns the text of the file that names the project.
 * docker-compose 1.29 refuses a name in the other file.
 */
export function projectText(devnet: string): string {
  return `COMPOSE_PROJECT_NAME=devnet-${devnet}\n`;
}

/**
 * Renders the Compose file of a network: a service and a volume for each unit. Pure.
 * It has no fork time, no hash and no secret. Compose v2 and docker-compose 1.29 take it.
 */
export function composeText(devnet: string, units: readonly Unit[], options: ComposeOptions): string {
  const document = {
    services: Object.fromEntries(units.map((unit) => [unit.name, composeService(devnet, unit, options)])),
    volumes: Object.fromEntries(units.map(({ name }) => [name, {}])),
    secrets: { devnet: { file: `./${options.secretsFile}` } },
  };
  return `${composeHead(devnet)}${stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

import { stringify } from 'yaml';
import type { Unit } from '../unit.ts';
import { composeHead } from './head.ts';
import { type ComposeOptions, composeServices } from './service.ts';

/**
 * Returns the text of the file that names the project.
 * docker-compose 1.29 refuses a name in the other file.
 */
export function projectText(devnet: string): string {
  return `COMPOSE_PROJECT_NAME=devnet-${devnet}\n`;
}

/**
 * Renders the Compose file of a network: services and a volume for each unit. Pure.
 * It has no fork time, no hash and no secret. Compose v2 and docker-compose 1.29 take it.
 */
export function composeText(devnet: string, units: readonly Unit[], options: ComposeOptions): string {
  const document = {
    services: Object.assign({}, ...units.map((unit) => composeServices(devnet, unit, units, options))),
    volumes: Object.fromEntries(units.map(({ name }) => [name, {}])),
    secrets: { devnet: { file: `./${options.secretsFile}` } },
  };
  return `${composeHead(devnet)}${stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

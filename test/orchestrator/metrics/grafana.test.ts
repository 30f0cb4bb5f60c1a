import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { METRICS } from '../../../src/orchestrator/metrics/names.ts';

const folder = join(import.meta.dirname, '../../../docs/how-to');
const dashboard = readFileSync(join(folder, 'metrics/grafana.json'), 'utf8');

it('the dashboard asks only for metrics that exist, and the page lists them all', () => {
  const names = Object.keys(METRICS);
  const queries = [...new Set(dashboard.match(/\bdevnet_\w+/g))];
  expect(queries.filter((name) => !names.includes(name))).toEqual([]);
  const page = readFileSync(join(folder, 'metrics.md'), 'utf8');
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('each panel has a query, and each has a place of its own', () => {
  const { panels } = JSON.parse(dashboard) as {
    panels: { title: string; targets: unknown[]; gridPos: { x: number; y: number; w: number } }[];
  };
  expect(panels.filter(({ targets }) => targets.length === 0)).toEqual([]);
  expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
  expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
});

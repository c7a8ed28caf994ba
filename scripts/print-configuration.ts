// npm run docs:configuration: generates docs/reference/configuration.md.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { VARIABLES } from '../server/config-variables.ts'

const PAGE = fileURLToPath(new URL('../docs/reference/configuration.md', import.meta.url))

/** Returns the page of the environment variables, from the table in server/config.ts. */
export function configurationPage(): string {
  return `# Configuration

Rialto is configured by environment variables only, which are read once, at the start. If any is wrong, the service does
not start, and prints what is expected of each wrong one.

This page is generated from \`server/config-variables.ts\` by \`npm run docs:configuration\`; a test compares the two.

| Variable | Default | Meaning |
|---|---|---|
${VARIABLES.map(({ name, fallback, description }) => `| \`${name}\` | ${defaultOf(fallback)} | ${description} |`).join('\n')}

An empty variable counts as not set.

## What production refuses

With \`RIALTO_ENV=production\` the service starts only when

- \`BASE_URL\` and \`DASHBOARD_URL\` are set and are HTTPS;
- \`RIALTO_MASTER_KEY\` is set, and no key in it is a pattern, a sequence or text;
- \`RIALTO_GATEWAY\` names a real gateway. Today the simulator is the only gateway, so this version does not start in
  production;
- \`RIALTO_RATE_LIMITS\` is \`on\`, and \`RIALTO_TIME_SCALE\` and \`RIALTO_FAULT\` are not set.

How the variables work together, behind a proxy or with a PostgreSQL of your own:
[environments](../operating/environments.md).
`
}

/** Returns a default value; one that is a sentence has its own code ticks. */
const defaultOf = (fallback: string | null) =>
  fallback === null ? '–' : fallback.includes('`') ? fallback : `\`${fallback}\``

if (import.meta.main) writeFileSync(PAGE, configurationPage())

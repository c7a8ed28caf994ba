import type { Finding } from './explore.ts'

/** Returns the message for a model with unexpected violations: each kind with its shortest trace. */
export function describeFindings(findings: ReadonlyMap<string, Finding>): string {
  if (findings.size === 0) return 'No violation was found.'
  const stories = [...findings].map(([kind, { states, shortestTrace }]) => {
    const lines = shortestTrace.map((words, index) => `  ${index + 1}. ${words}`)
    return [`${kind} in ${states} states, at the soonest after:`, ...lines].join('\n')
  })
  return stories.join('\n\n')
}

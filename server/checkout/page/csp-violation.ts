/** A blocked resource, described with known keywords only. */
export interface Violation {
  directive: string
  disposition: 'enforce' | 'report' | 'unknown'
  /** What was blocked: an origin, a scheme, a keyword of the CSP specification, or `other`. */
  blocked: string
}

const REPORTS_MAX = 10
const ORIGIN_CHARACTERS_MAX = 100

/** Directives of CSP Level 3 and Trusted Types. A report about another directive does not concern our policies. */
const DIRECTIVES: ReadonlySet<string> = new Set([
  'base-uri',
  'child-src',
  'connect-src',
  'default-src',
  'fenced-frame-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'object-src',
  'prefetch-src',
  'require-trusted-types-for',
  'sandbox',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'trusted-types',
  'worker-src',
])

/** Keywords for content without a URL, and schemes that browsers report without the rest of the URL. */
const WORDS: ReadonlySet<string> = new Set([
  'inline',
  'eval',
  'wasm-eval',
  'self',
  'trusted-types-policy',
  'trusted-types-sink',
  'about',
  'blob',
  'chrome-extension',
  'data',
  'file',
  'filesystem',
  'javascript',
  'moz-extension',
  'safari-extension',
  'safari-web-extension',
])
const SCHEMES_WITH_ORIGIN: ReadonlySet<string> = new Set(['http:', 'https:', 'ws:', 'wss:'])

type Members = Record<string, unknown>

/** Reads both formats: a list of reports, or one report in the older envelope. Anything else is ignored. */
export function violationsOf(body: unknown): Violation[] {
  const reports = Array.isArray(body) ? body.slice(0, REPORTS_MAX).map(bodyOf) : [membersOf(body)['csp-report']]
  return reports.map(membersOf).flatMap((report) => {
    const directive = directiveOf(
      report.effectiveDirective ?? report['effective-directive'] ?? report['violated-directive'],
    )
    if (directive === null) return []
    const { disposition } = report
    return [
      {
        directive,
        disposition: disposition === 'enforce' || disposition === 'report' ? disposition : 'unknown',
        blocked: blockedOf(report.blockedURL ?? report['blocked-uri']),
      },
    ]
  })
}

function bodyOf(report: unknown): unknown {
  const { type, body } = membersOf(report)
  return type === 'csp-violation' ? body : null
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

/** Returns the name of the directive, to which older browsers append the sources; `null` if it is unknown. */
function directiveOf(value: unknown): string | null {
  const [name = ''] = typeof value === 'string' ? value.slice(0, 100).split(' ') : []
  return DIRECTIVES.has(name) ? name : null
}

function blockedOf(value: unknown): string {
  if (typeof value !== 'string') return 'other'
  if (WORDS.has(value)) return value
  if (!URL.canParse(value)) return 'other'
  const { protocol, origin } = new URL(value)
  if (SCHEMES_WITH_ORIGIN.has(protocol)) return origin.length <= ORIGIN_CHARACTERS_MAX ? origin : 'other'
  const scheme = protocol.slice(0, -1)
  return WORDS.has(scheme) ? scheme : 'other'
}

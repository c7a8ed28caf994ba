/** What browsers call the JSON of their violation reports. */
export const REPORT_MEDIA = /^application\/(?:reports\+json|csp-report)\b/i

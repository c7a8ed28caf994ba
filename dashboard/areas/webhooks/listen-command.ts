/** Forwards events to a developer's machine (EVT-30). */
export const LISTEN = 'npm run listen -- --forward-to http://localhost:3000/webhooks'

// npm run test:deep [-- files]: what npm test does, with the deep bounds of the tests (test/support/deep.ts).
import { DEEP_VARIABLE } from '../test/support/deep.ts'

process.env[DEEP_VARIABLE] = '1'
await import('./check.ts')

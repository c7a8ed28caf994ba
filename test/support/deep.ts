/** The variable that `npm run test:deep` sets. Nothing else reads it. */
export const DEEP_VARIABLE = 'RIALTO_TEST_DEEP'

/** Whether this run is `npm run test:deep`. */
export const isDeep = process.env[DEEP_VARIABLE] === '1'

/**
 * Returns how far a test goes: `quick` in `npm test`, `deep` in `npm run test:deep`. A fault that the test is there for
 * has to be found within the quick bound too.
 */
export const bound = <Value>({ quick, deep }: { quick: Value; deep: Value }): Value => (isDeep ? deep : quick)

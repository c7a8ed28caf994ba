// `npm run sdk:types`: generates sdk/generated/types.ts.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { printOpenApi } from './openapi-text.ts'
import { sdkTypes } from './sdk-types.ts'

const OUT = fileURLToPath(new URL('../sdk/generated/types.ts', import.meta.url))
writeFileSync(OUT, await sdkTypes(JSON.parse(await printOpenApi({}))))
